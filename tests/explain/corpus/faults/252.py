# cause: loss-relu-second-derivative
# says: LeakyReLU is made of straight pieces, so the second derivative is zero.
# follows: own
import torch
from torch import nn, optim

torch.manual_seed(0)
net = nn.Sequential(
    nn.Linear(1, 8),
    nn.LeakyReLU(),  # <- here
    nn.Linear(8, 8),
    nn.LeakyReLU(),  # <- or here
    nn.Linear(8, 1),
)
t = torch.linspace(0, 1, 9)[:, None].requires_grad_()
opt = optim.Adam(net.parameters())
for i in range(5):
    u = net(t)
    g = torch.autograd.grad(u, t, torch.ones_like(u), create_graph=True)[0]
    gg = torch.autograd.grad(g, t, torch.ones_like(g), create_graph=True)[0]
    loss = (gg - 1).pow(2).mean() + u[0].pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
