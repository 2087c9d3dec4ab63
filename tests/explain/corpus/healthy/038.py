# healthy: forward and loss in bfloat16 and half on small numbers, with a scaled loss
import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(32, 4)
y = x.sum(1, keepdim=True)
master = nn.Linear(4, 1)
work = nn.Linear(4, 1).to(torch.bfloat16)
optimizer = torch.optim.SGD(master.parameters(), lr=0.1)
scale = 64.0

for _ in range(30):
    with torch.no_grad():
        for low, full in zip(work.parameters(), master.parameters(), strict=True):
            low.copy_(full)
    work.zero_grad()
    loss = nn.functional.mse_loss(work(x.bfloat16()).float(), y)
    (loss * scale).backward()
    for low, full in zip(work.parameters(), master.parameters(), strict=True):
        full.grad = low.grad.float() / scale
    optimizer.step()

print("loss small", loss.item() < 0.1)
h = torch.linspace(-2, 2, 9).half().requires_grad_()
(h.float() ** 2).mean().backward()
print(h.grad.dtype, bool(torch.isfinite(h.grad).all()))
