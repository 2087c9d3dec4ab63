# healthy: exponential moving average of the weights, kept under no_grad and through .data
import copy

import torch
from torch import nn

torch.manual_seed(5)
model = nn.Sequential(nn.Linear(3, 12), nn.ReLU(), nn.Linear(12, 1))
average = copy.deepcopy(model)
for p in average.parameters():
    p.requires_grad_(False)


@torch.no_grad()
def update(average, model, decay):
    for slow, fast in zip(average.parameters(), model.parameters(), strict=True):
        slow.mul_(decay).add_(fast, alpha=1 - decay)


def copy_buffers(average, model):
    for slow, fast in zip(average.buffers(), model.buffers(), strict=True):
        slow.data.copy_(fast.data)


x = torch.randn(100, 3)
y = x.sum(1, keepdim=True)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for _ in range(80):
    index = torch.randint(0, 100, (16,))
    loss = nn.functional.mse_loss(model(x[index]), y[index])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    update(average, model, decay=0.9)
    copy_buffers(average, model)

with torch.no_grad():
    quality = nn.functional.mse_loss(average(x), y)
print("average is good:", quality.item() < 1.0)
