# healthy: a schedule by hand that ends at a rate of zero, after training
import math

import torch
from torch import nn

torch.manual_seed(0)
steps, warmup, peak = 60, 6, 0.2
model = nn.Sequential(nn.Linear(2, 12), nn.Tanh(), nn.Linear(12, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.0, momentum=0.9)


def rate(step):
    if step < warmup:
        return peak * (step + 1) / warmup
    return peak * 0.5 * (1 + math.cos(math.pi * (step + 1 - warmup) / (steps - warmup)))


x = torch.randn(80, 2)
y = torch.sin(x.sum(1, keepdim=True))
for step in range(steps):
    for group in optimizer.param_groups:
        group["lr"] = rate(step)
    loss = nn.functional.mse_loss(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 20 == 0:
        print(step, f"lr {rate(step):.4f} loss {loss.item():.4f}")

print("last rate", optimizer.param_groups[0]["lr"], "fitted", loss.item() < 0.2)
