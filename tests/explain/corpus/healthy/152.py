# healthy: hooks that clamp in place what nobody else has, and hooks that return a new gradient
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
for p in net.parameters():
    p.register_hook(lambda g: g.clamp_(-0.5, 0.5))
x = torch.randn(32, 4)
y = 3 * x[:, :1]
seen = []
optimizer = torch.optim.SGD(net.parameters(), lr=0.2)
for _ in range(100):
    hidden = net[1](net[0](x))
    hidden.register_hook(lambda g: 0.5 * g)
    hidden.register_hook(lambda g: seen.append(g.norm().item()))
    loss = (net[2](hidden) + hidden.mean() - y).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("fits:", loss.item() < 0.5, "seen:", len(seen))
