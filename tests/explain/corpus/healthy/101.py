# healthy: a linear probe: features are taken under no_grad, only the head is optimised
import torch
from torch import nn

torch.manual_seed(0)
backbone = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 8)).eval()
head = nn.Linear(8, 3)
optimizer = torch.optim.Adam(head.parameters(), lr=0.05)
x = torch.randn(40, 6)
y = x[:, :3].argmax(dim=1)
with torch.no_grad():
    features = backbone(x)
for _ in range(60):
    loss = nn.functional.cross_entropy(head(features), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item() < 0.9, [p.grad is None for p in backbone.parameters()])
