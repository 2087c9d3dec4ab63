# cause: backward-never-ran
# says: train() is a generator function: calling it without iterating over it runs nothing
# follows: own
import torch
from torch import nn


def train(net, x, y, lr, steps):
    opt = torch.optim.SGD(net.parameters(), lr=lr)
    for i in range(steps):
        loss = nn.functional.mse_loss(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        yield i, loss.item()


def error(net, x, y):
    with torch.no_grad():
        return (net(x) - y).abs().mean().item()


torch.manual_seed(100)
net = nn.Sequential(nn.Linear(2, 10), nn.Tanh(), nn.Linear(10, 1))
x = torch.rand(40, 2)
y = x.sum(1, keepdim=True).sqrt()
before = error(net, x, y)
train(net, x, y, 0.2, 100)  # <- here
after = error(net, x, y)
print("before", before, "after", after)
assert after < before, f"no progress: {before} -> {after}"
