# healthy: a trained model is attacked: an optimizer holds the perturbation only
import torch
import torch.nn.functional as F
from torch import nn, optim

torch.manual_seed(0)
x, y = torch.randn(24, 4), torch.randn(24, 1)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 8)
        self.b = nn.Linear(8, 1)

    def forward(self, x):
        return self.b(torch.relu(self.a(x)))


net = Net()
opt = optim.SGD(net.parameters(), lr=0.05)
for step in range(6):
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
    print(loss.item())
delta = torch.zeros_like(x, requires_grad=True)
o2 = optim.SGD([delta], lr=0.1)
for i in range(5):
    o2.zero_grad()
    (-F.mse_loss(net(x + delta), y)).backward()
    o2.step()
