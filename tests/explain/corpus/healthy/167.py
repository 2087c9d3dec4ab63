# healthy: a penalty on gradients through backward(create_graph=True), reset in every step
import warnings

import torch
from torch import nn

warnings.simplefilter("ignore")
torch.manual_seed(7)
net = nn.Sequential(nn.Linear(4, 16), nn.Softplus(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
x = torch.randn(40, 4)
y = x.sin().sum(1, keepdim=True)
values = []
for step in range(15):
    optimizer.zero_grad()
    loss = (net(x) - y).pow(2).mean()
    loss.backward(create_graph=True)
    penalty = sum(p.grad.pow(2).sum() for p in net.parameters())
    (0.05 * penalty).backward()
    optimizer.step()
    values.append(loss.item())
optimizer.zero_grad()
print("fell:", values[-1] < values[0])
