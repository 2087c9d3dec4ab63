# healthy: a hinge loss that reaches zero on separable data
import torch
import torch.nn.functional as F
from torch import nn, optim

torch.manual_seed(0)
x, y = torch.randn(24, 4), torch.randn(24, 1)
net = nn.Linear(4, 1)
lab = torch.where(x[:, :1] > 0, 1.0, -1.0)
opt = optim.SGD(net.parameters(), lr=0.5)
for i in range(40):
    opt.zero_grad()
    loss = F.relu(1 - lab * net(x)).mean()
    loss.backward()
    opt.step()
