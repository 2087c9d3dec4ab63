# healthy: missing values in the data, masked before they enter the arithmetic
import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(50, 4)
y = x @ torch.tensor([[1.0], [0.0], [-2.0], [0.5]])
x[torch.rand(50, 4) < 0.1] = float("nan")
y[::9] = float("nan")

missing = torch.isnan(x)
x = torch.where(missing, torch.zeros_like(x), x)
features = torch.cat([x, missing.float()], dim=1)
known = ~torch.isnan(y)

model = nn.Linear(8, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
for _ in range(80):
    prediction = model(features)
    loss = nn.functional.mse_loss(prediction[known], y[known])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

print("missing", int(missing.sum()), "labels", int(known.sum()))
print("finite", bool(torch.isfinite(model.weight.grad).all()), "fitted", loss.item() < 1.0)
