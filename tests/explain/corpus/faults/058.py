# cause: step-never-called
# says: step is called every 64 batches only and there are 10, so the optimizer never steps.
# follows: own
import torch
from torch import nn, optim

ACCUMULATE = 64


def batches(x, y, size):
    for start in range(0, len(x), size):
        yield x[start : start + size], y[start : start + size]


torch.manual_seed(2)
x = torch.randn(80, 4)
y = (x[:, 0] * x[:, 1] > 0).long()
model = nn.Sequential(nn.Linear(4, 12), nn.ReLU(), nn.Linear(12, 2))
optimizer = optim.AdamW(model.parameters(), lr=3e-3)  # <- or here
criterion = nn.CrossEntropyLoss()

for epoch in range(4):
    running = 0.0
    optimizer.zero_grad()
    for i, (xb, yb) in enumerate(batches(x, y, 8)):
        loss = criterion(model(xb), yb) / ACCUMULATE
        loss.backward()
        running += loss.item() * ACCUMULATE
        if (i + 1) % ACCUMULATE == 0:
            optimizer.step()  # <- here
            optimizer.zero_grad()
    print(f"epoch {epoch}: {running / 10:.5f}")
