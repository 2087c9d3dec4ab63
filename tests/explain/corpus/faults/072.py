# cause: unused-input
# says: The network was fed with points; x is a slice made aside, so u does not depend on it.
# follows: PINN: differentiated Tensors not used in the graph after slicing the input
import torch
from torch import nn

torch.manual_seed(2)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(2, 12), nn.Tanh(), nn.Linear(12, 1))

    def forward(self, inputs):
        return self.layers(inputs)


def slope(u, wrt):
    return torch.autograd.grad(u, wrt, torch.ones_like(u), create_graph=True)[0]


def residual(net, points):
    u = net(points)  # <- or here
    x, t = points[:, 0:1], points[:, 1:2]  # <- here
    u_t = slope(u, t)
    u_x = slope(u, x)
    u_xx = slope(u_x, x)
    return u_t + u * u_x - 0.01 * u_xx


net = Net()
optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
for epoch in range(5):
    points = torch.rand(16, 2, requires_grad=True)
    loss = residual(net, points).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(epoch, loss.item())
