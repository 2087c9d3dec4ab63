# cause: loss-constant
# says: Cross entropy over a single score is always 0: there is nothing to learn.
# follows: CrossEntropyLoss is always 0 with one output neuron
import torch
import torch.nn.functional as F
from torch import nn, optim

torch.manual_seed(0)
x, y = torch.randn(24, 4), torch.randn(24)
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
t = torch.zeros(24, dtype=torch.long)
opt = optim.SGD(net.parameters(), lr=0.1)
for i in range(5):
    loss = F.cross_entropy(net(x), t)  # <- here
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
