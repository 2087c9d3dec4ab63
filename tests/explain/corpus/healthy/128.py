# healthy: some steps are skipped on purpose
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
for e in range(9):
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    n = nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    if e % 3 == 0:
        continue
    opt.step()
