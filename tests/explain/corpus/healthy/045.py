# healthy: k-fold cross-validation, a fresh model and optimizer in each fold
import torch
from torch import nn


def folds(n, k):
    order = torch.randperm(n)
    parts = order.chunk(k)
    for i in range(k):
        yield torch.cat([p for j, p in enumerate(parts) if j != i]), parts[i]


def fit(x, y, epochs=40):
    model = nn.Linear(x.shape[1], 1)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
    for _ in range(epochs):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
    return model


torch.manual_seed(0)
x = torch.randn(60, 3)
y = x @ torch.tensor([[1.0], [-1.0], [2.0]]) + 0.1 * torch.randn(60, 1)
scores = []
for train, test in folds(60, 4):
    model = fit(x[train], y[train])
    with torch.no_grad():
        scores.append(nn.functional.mse_loss(model(x[test]), y[test]))

print("folds", len(scores), "good", bool(torch.stack(scores).mean() < 0.2))
