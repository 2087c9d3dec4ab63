# healthy: a physics-informed network: the residual of the equation needs derivatives by the input
import math

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 16), nn.Tanh(), nn.Linear(16, 1))


def d(u, t):
    return torch.autograd.grad(u, t, grad_outputs=torch.ones_like(u), create_graph=True)[0]


def residual(t):
    u = net(t)
    return d(d(u, t), t) + u  # u'' = -u


t = torch.linspace(0, math.pi / 2, 20).reshape(-1, 1).requires_grad_()
t0 = torch.zeros(1, 1, requires_grad=True)
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
losses = []
for _ in range(60):
    u0 = net(t0)
    boundary = (u0 - 0.0).pow(2).mean() + (d(u0, t0) - 1.0).pow(2).mean()
    loss = residual(t).pow(2).mean() + boundary
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(loss.item())

print("residual fell:", losses[-1] < 0.3 * losses[0])
