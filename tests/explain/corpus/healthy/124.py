# healthy: a gate that starts wide open through its bias
import torch
import torch.nn.functional as F
from torch import nn, optim

torch.manual_seed(0)
x, y = torch.randn(24, 4), torch.randn(24)
f = nn.Linear(4, 8)
o = nn.Linear(8, 1)
nn.init.constant_(f.bias, 6.0)
i2 = nn.Linear(4, 8)
m = nn.ModuleList([f, o, i2])
opt = optim.SGD(m.parameters(), lr=0.1)
for step in range(6):
    opt.zero_grad()
    loss = F.mse_loss(o(torch.sigmoid(f(x)) * torch.tanh(i2(x))).squeeze(1), y)
    loss.backward()
    opt.step()
    print(loss.item())
