# healthy: batches with a bad value are left out, the loss is looked at before backward
import math

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
left_out = []
for step in range(12):
    x = torch.randn(8, 2)
    if step % 5 == 3:
        x[0, 0] = float("nan")
    loss = (model(x).squeeze(1) - x[:, 1]).pow(2).mean()
    if not math.isfinite(loss.item()):
        left_out.append(step)
        print("left out", step, loss.item())
        continue
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(left_out, loss.item() < 2.0)
