# cause: step-too-long
# says: the rate is far too large for these inputs: the loss grows at each step until inf
# follows: own
import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(64, 12) * 30
y = x.mean(dim=1, keepdim=True)

net = nn.Sequential(nn.Linear(12, 32), nn.ReLU(), nn.Linear(32, 1))
momentum = [torch.zeros_like(p) for p in net.parameters()]
RATE = 0.5
for epoch in range(25):
    loss = nn.functional.mse_loss(net(x), y)
    net.zero_grad()
    loss.backward()
    with torch.no_grad():
        for p, m in zip(net.parameters(), momentum, strict=True):
            m.mul_(0.9).add_(p.grad)
            p.sub_(RATE * m)  # <- here
assert loss.item() < 10, f"epoch {epoch}: {loss.item()}"
