# cause: memory-loss-kept
# says: running += loss adds up loss tensors, so every step's graph stays alive; add loss.item()
# follows: "Out of memory: do not accumulate history across your training loop" (FAQ, forum)
import torch
from torch import nn, optim

torch.manual_seed(0)
images = torch.randn(80, 12)
labels = (images[:, 0] + images[:, 1] > 0).long()
net = nn.Sequential(nn.Linear(12, 16), nn.ReLU(), nn.Linear(16, 2))
criterion = nn.CrossEntropyLoss()
optimizer = optim.SGD(net.parameters(), lr=0.1)

for epoch in range(2):
    running = 0.0
    for start in range(0, 80, 8):
        x, y = images[start : start + 8], labels[start : start + 8]
        optimizer.zero_grad()
        loss = criterion(net(x), y)
        loss.backward()
        optimizer.step()
        running += loss  # <- here
    print(f"epoch {epoch} mean loss", running / 10)
