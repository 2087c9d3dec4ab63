# cause: loss-relu-second-derivative
# says: All layers are ReLU, so u_xx is zero everywhere and the equation is never seen.
# follows: PINN with ReLU activation does not learn: second derivative is always zero
import math

import torch
from torch import nn


class Field(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.first = nn.Linear(1, width)
        self.last = nn.Linear(width, 1)

    def forward(self, x):
        h = torch.relu(self.first(x))  # <- here
        return self.last(h)


def derivative(u, x):
    (d,) = torch.autograd.grad(u.sum(), x, create_graph=True)
    return d


torch.manual_seed(0)
net = Field()
optimizer = torch.optim.Adam(net.parameters(), lr=5e-3)
ends = torch.tensor([[0.0], [1.0]])
x = torch.linspace(0, 1, 20).unsqueeze(1).requires_grad_()
source = math.pi**2 * torch.sin(math.pi * x.detach())
for epoch in range(30):
    u = net(x)
    u_xx = derivative(derivative(u, x), x)  # <- or here
    inside = (u_xx + source).square().mean()
    border = net(ends).square().mean()
    loss = inside + border
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if epoch % 10 == 9:
        print(f"{epoch + 1:3d} inside {inside.item():8.4f} border {border.item():8.4f}")
