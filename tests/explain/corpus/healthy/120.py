# healthy: a GAN whose generator steps first; D's gradients of that pass are thrown away
import torch
import torch.nn.functional as F
from torch import nn, optim

torch.manual_seed(0)
x, y = torch.randn(24, 4), torch.randn(24, 1)
G = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 4))
D = nn.Sequential(nn.Linear(4, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1))
og, od = optim.Adam(G.parameters()), optim.Adam(D.parameters())
for i in range(6):
    og.zero_grad()
    lg = F.softplus(-D(G(torch.randn(24, 2)))).mean()
    lg.backward()
    og.step()
    od.zero_grad()
    ld = F.softplus(-D(x)).mean() + F.softplus(D(G(torch.randn(24, 2)))).mean()
    ld.backward()
    od.step()
