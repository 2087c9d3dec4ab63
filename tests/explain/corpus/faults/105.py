# cause: nan-backward
# says: where() drops sin(x) / x at 0, but its backward still is 0 times NaN there
# follows: "Gradient of torch.where is nan although the other branch is selected (sinc)"
import math

import torch


def sinc(x):
    series = 1 - x * x / 6
    exact = torch.sin(x) / x  # <- here
    return torch.where(x.abs() < 1e-4, series, exact)


def window(n):
    return torch.tensor([0.54 - 0.46 * math.cos(2 * math.pi * i / (n - 1)) for i in range(n)])


positions = torch.arange(-4.0, 5.0)
cutoff = torch.tensor(0.8, requires_grad=True)
optimizer = torch.optim.SGD([cutoff], lr=0.05)

for step in range(3):
    taps = sinc(cutoff * positions) * window(9)
    gain = taps.sum()
    loss = (gain - 2.0) ** 2
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"step {step}: loss {loss.item():.4f} cutoff {cutoff.item():.4f}")
