# healthy: a program that stops early on purpose with sys.exit
import sys

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(2, 1)
aux = nn.Linear(2, 1)
opt = torch.optim.SGD([*net.parameters(), *aux.parameters()], lr=0.1)
x = torch.randn(20, 2)
for step in range(200):
    loss = (net(x) - 1).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if loss.item() < 1e-2:
        print("good enough")
        sys.exit(0)
