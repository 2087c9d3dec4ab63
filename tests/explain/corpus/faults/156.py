# cause: memory-kept-outputs
# says: the memory bank stores embeddings that carry their graph; store embedding.detach()
# follows: own
from collections import deque

import torch
import torch.nn.functional as F
from torch import nn, optim

torch.manual_seed(11)


class Bank:
    def __init__(self, size):
        self.items = deque(maxlen=size)

    def push(self, embedding):
        self.items.extend(embedding.unbind(0))  # <- here

    def negatives(self):
        return torch.stack(list(self.items)).detach()

    def held(self):
        return sum(item.grad_fn is not None for item in self.items)


encoder = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 4))
optimizer = optim.SGD(encoder.parameters(), lr=0.1, momentum=0.9)
bank = Bank(size=48)

for _ in range(12):
    x = torch.randn(6, 8)
    a = F.normalize(encoder(x + 0.05 * torch.randn_like(x)), dim=1)
    b = F.normalize(encoder(x + 0.05 * torch.randn_like(x)), dim=1)
    positive = (a * b).sum(1, keepdim=True)
    if bank.items:
        logits = torch.cat([positive, a @ bank.negatives().t()], 1) / 0.5
        loss = F.cross_entropy(logits, torch.zeros(6, dtype=torch.long))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    bank.push(b)

print("loss", loss.item())
assert bank.held() == 0, f"{bank.held()} of {len(bank.items)} entries keep a graph"
