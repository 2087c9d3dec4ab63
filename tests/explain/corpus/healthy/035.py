# healthy: curves for a plot go to NumPy through detach, data come from NumPy
import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(0)
data = rng.normal(size=(60, 2)).astype(np.float32)
target = (data[:, :1] * data[:, 1:]).astype(np.float32)
x, y = torch.from_numpy(data), torch.from_numpy(target)

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(2, 24), nn.Tanh(), nn.Linear(24, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
curve = np.zeros(60)
for epoch in range(60):
    prediction = model(x)
    loss = nn.functional.mse_loss(prediction, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    curve[epoch] = loss.item()

fitted = prediction.detach().cpu().numpy()
residual = fitted - target
weights = model[0].weight.detach().numpy().copy()
print("fell", bool(curve[-1] < curve[0]), fitted.shape, weights.shape)
print("rmse below one:", bool(np.sqrt((residual**2).mean()) < 1.0))
