# cause: flow-zero-init
# says: nn.init.zeros_ on all the weights: hidden units get no gradient
# follows: Initialize weights with zeros
import torch
from torch import nn


def init(m):
    if isinstance(m, nn.Linear):
        nn.init.zeros_(m.weight)  # <- here
        nn.init.zeros_(m.bias)


torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 3))
net.apply(init)
opt = torch.optim.SGD(net.parameters(), 0.1)
x = torch.randn(30, 3)
y = x.argmax(1)
for _ in range(10):
    opt.zero_grad()
    loss = nn.functional.cross_entropy(net(x), y)
    loss.backward()
    opt.step()
print(loss.item())
