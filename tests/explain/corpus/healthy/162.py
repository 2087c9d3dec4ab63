# healthy: losses of the parts of a batch are kept until their sum runs backward, then new ones
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(2)
model = nn.Sequential(nn.Linear(6, 10), nn.ReLU(), nn.Linear(10, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.2, momentum=0.5)
x = torch.randn(64, 6)
y = x[:, :3].argmax(1)

for epoch in range(10):
    parts = {}
    for k in range(8):
        rows = slice(8 * k, 8 * k + 8)
        parts[k] = F.cross_entropy(model(x[rows]), y[rows])
    hardest = sorted(parts, key=lambda k: parts[k].item())[-6:]
    loss = torch.stack([parts[k] for k in hardest]).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("loss", round(loss.item(), 2), "hardest part", hardest[-1] in range(8))
