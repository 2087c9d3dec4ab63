# healthy: a ReLU network with a few silent units trains all the same
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(2, 20), nn.ReLU(), nn.Linear(20, 20), nn.ReLU(), nn.Linear(20, 1))
with torch.no_grad():
    model[0].bias[:3] -= 6.0
x = torch.rand(100, 2) * 2 - 1
y = (x[:, :1] > x[:, 1:]).float()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for _ in range(80):
    loss = nn.functional.binary_cross_entropy_with_logits(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

silent = (model[1](model[0](x)) == 0).all(0).sum().item()
print("silent units", silent, "learned", loss.item() < 0.4)
