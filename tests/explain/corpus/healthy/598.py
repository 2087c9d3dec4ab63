# healthy: a triplet loss that is satisfied from the start
import torch
import torch.nn.functional as F
from torch import nn, optim
torch.manual_seed(0)
x, y = torch.randn(24, 4), torch.randn(24)
net = nn.Linear(4, 3)
opt = optim.SGD(net.parameters(), lr=0.5)
a, p, n = x[:8], x[:8] + 0.01, x[8:16] + 10
for i in range(10):
    loss = F.relu((net(a) - net(p)).pow(2).sum(1) - (net(a) - net(n)).pow(2).sum(1) + 0.1).mean()
    opt.zero_grad(); loss.backward(); opt.step()
