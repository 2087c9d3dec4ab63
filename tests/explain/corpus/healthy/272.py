# healthy: difference quotients with steps that suit float32 and float64
import torch


def energy(q):
    return (q.sin() * q**2).sum()


def by_differences(q, h):
    found = torch.zeros_like(q)
    for i in range(len(q)):
        step = torch.zeros_like(q)
        step[i] = h
        found[i] = (energy(q + step) - energy(q - step)) / (2 * h)
    return found


for dtype, h in ((torch.float32, 1e-2), (torch.float64, 1e-6)):
    q = torch.tensor([0.3, 1.2, -0.7], dtype=dtype, requires_grad=True)
    energy(q).backward()
    with torch.no_grad():
        found = by_differences(q, h)
    print(dtype, (found - q.grad).abs().max().item(), found)
