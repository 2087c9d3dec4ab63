# healthy: early stopping with the best weights kept by deepcopy and restored
import copy

import torch
from torch import nn

torch.manual_seed(8)
x = torch.randn(30, 12)
y = x[:, :1] + 0.8 * torch.randn(30, 1)
x_val = torch.randn(30, 12)
y_val = x_val[:, :1] + 0.8 * torch.randn(30, 1)
model = nn.Sequential(nn.Linear(12, 40), nn.ReLU(), nn.Linear(40, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
criterion = nn.MSELoss()
best_loss, best_state, waited, patience = float("inf"), None, 0, 8

for _ in range(200):
    model.train()
    optimizer.zero_grad()
    criterion(model(x), y).backward()
    optimizer.step()

    model.eval()
    with torch.no_grad():
        val_loss = criterion(model(x_val), y_val).item()
    if val_loss < best_loss:
        best_loss, waited = val_loss, 0
        best_state = copy.deepcopy(model.state_dict())
    else:
        waited += 1
        if waited >= patience:
            break

model.load_state_dict(best_state)
with torch.no_grad():
    restored = criterion(model(x_val), y_val).item()
print("stopped early:", waited >= patience, "restored:", abs(restored - best_loss) < 1e-6)
