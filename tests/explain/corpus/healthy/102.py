# healthy: metrics leave the graph as numbers: running loss, accuracy, perplexity
import math

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(5, 16), nn.Tanh(), nn.Linear(16, 4))
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
x = torch.randn(64, 5)
y = x[:, :4].argmax(dim=1)
history, best = [], float("inf")
for epoch in range(25):
    running, hits = 0.0, 0
    for xb, yb in zip(x.split(16), y.split(16), strict=True):
        logits = model(xb)
        loss = nn.functional.cross_entropy(logits, yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        running += loss.item() * len(xb)
        hits += int((logits.argmax(dim=1) == yb).sum())
    mean = running / len(x)
    best = min(best, mean)
    history.append(torch.tensor(mean))
    if epoch % 8 == 0:
        print(epoch, f"perplexity {math.exp(mean):.3f}", f"accuracy {hits / len(x):.2f}")
assert torch.stack(history)[-1] < history[0]
