# healthy: a parameter is replaced and the optimizer gets the new one by its group
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)
x = torch.randn(40, 6)
y = x[:, :1] * 2
net = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 1))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)

for i in range(10):
    loss = F.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if i % 3 == 0:
        print(i, loss.item())
net[0].weight = nn.Parameter(net[0].weight.detach() * 0.5)
opt.param_groups[0]["params"] = list(net.parameters())

for i in range(10):
    loss = F.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if i % 3 == 0:
        print(i, loss.item())
