# healthy: per-sample gradients by a loop, norms clipped, noise added (DP-SGD)
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(16, 3)
y = x.sum(1, keepdim=True)
for step in range(10):
    total = [torch.zeros_like(p) for p in net.parameters()]
    for xi, yi in zip(x, y):
        loss = (net(xi) - yi).pow(2).sum()
        gs = torch.autograd.grad(loss, list(net.parameters()))
        n = torch.sqrt(sum(g.pow(2).sum() for g in gs))
        for t, g in zip(total, gs):
            t += g * (1.0 / n).clamp(max=1.0)
    for p, t in zip(net.parameters(), total):
        p.grad = (t + 0.01 * torch.randn_like(t)) / len(x)
    opt.step()
    opt.zero_grad()
print((net(x) - y).pow(2).mean().item())
