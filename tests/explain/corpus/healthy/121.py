# healthy: sharpness-aware steps: the first gradient only moves the weights for a moment
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
for e in range(6):
    F.mse_loss(net(x), y).backward()
    with torch.no_grad():
        norm = torch.stack([p.grad.norm() for p in net.parameters()]).norm()
        es = []
        for p in net.parameters():
            d = 0.05 * p.grad / norm
            p.add_(d)
            es.append(d)
    opt.zero_grad()
    F.mse_loss(net(x), y).backward()
    with torch.no_grad():
        for p, d in zip(net.parameters(), es):
            p.sub_(d)
    opt.step()
    opt.zero_grad()
