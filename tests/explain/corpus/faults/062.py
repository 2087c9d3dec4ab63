# cause: learning-rate-zero
# says: The warm-up divides with //, so the learning rate is 0 for the first 100 steps.
# follows: own
import torch
from torch import nn
from torch.optim.lr_scheduler import LambdaLR

WARMUP = 100


def factor(step):
    return min(1.0, step // WARMUP)  # <- or here


torch.manual_seed(0)
teacher = nn.Linear(4, 1)
student = nn.Sequential(nn.Linear(4, 8), nn.SiLU(), nn.Linear(8, 1))
optimizer = torch.optim.Adam(student.parameters(), lr=1e-3)
scheduler = LambdaLR(optimizer, factor)  # <- here

x = torch.randn(64, 4)
with torch.no_grad():
    target = teacher(x)

for step in range(40):
    loss = (student(x) - target).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    scheduler.step()
    if step % 10 == 0:
        print(f"{step:3d}  {loss.item():.6f}")
