# healthy: a ranking loss over all pairs of scores
import torch
import torch.nn.functional as F
from torch import nn, optim

torch.manual_seed(0)
a = nn.Linear(3, 1)
x = torch.randn(8, 3)
y = torch.randn(8)
opt = optim.SGD(a.parameters(), lr=0.1)
for i in range(5):
    s = a(x)
    diff = s - s.T
    loss = F.softplus(-torch.sign(y[:, None] - y[None]) * diff).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
