# healthy: gradient accumulation over micro batches
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 2)
opt = torch.optim.SGD(net.parameters(), 0.1, momentum=0.9)
x, y = torch.randn(32, 4), torch.randint(0, 2, (32,))
for ep in range(4):
    for i, (a, b) in enumerate(zip(x.split(4), y.split(4))):
        (nn.functional.cross_entropy(net(a), b) / 4).backward()
        if (i + 1) % 4 == 0:
            opt.step()
            opt.zero_grad()
print(net.weight.norm().item(), net.weight.grad)
