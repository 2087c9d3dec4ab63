# cause: memory-loss-kept
# says: each log entry holds the loss with its graph; log loss.item()
# follows: own
import csv
import io

import torch
from torch import nn, optim


def run(epochs):
    torch.manual_seed(1)
    model = nn.Linear(4, 3)
    data, labels = torch.randn(60, 4), torch.randint(3, (60,))
    optimizer = optim.SGD(model.parameters(), lr=0.5)
    rows = []
    for epoch in range(epochs):
        scores = model(data)
        loss = nn.functional.cross_entropy(scores, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        accuracy = (scores.argmax(1) == labels).float().mean().item()
        rows.append({"epoch": epoch, "loss": loss, "accuracy": accuracy})  # <- here
    return rows


log = run(12)
file = io.StringIO()
writer = csv.DictWriter(file, ["epoch", "loss", "accuracy"])
writer.writeheader()
writer.writerows(log)
print(file.getvalue().splitlines()[-1][:60])
