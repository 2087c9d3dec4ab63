# healthy: contrastive learning with a queue of detached keys and a momentum encoder (MoCo)
import torch
import torch.nn.functional as F
from torch import nn


class MoCo(nn.Module):
    def __init__(self, dim=4, size=32, m=0.95, T=0.2):
        super().__init__()
        self.m, self.T = m, T
        self.encoder_q = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, dim))
        self.encoder_k = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, dim))
        for q, k in zip(self.encoder_q.parameters(), self.encoder_k.parameters(), strict=True):
            k.data.copy_(q.data)
            k.requires_grad = False
        self.register_buffer("queue", F.normalize(torch.randn(dim, size), dim=0))
        self.pointer = 0

    @torch.no_grad()
    def _update(self):
        for q, k in zip(self.encoder_q.parameters(), self.encoder_k.parameters(), strict=True):
            k.data = k.data * self.m + q.data * (1.0 - self.m)

    @torch.no_grad()
    def _enqueue(self, keys):
        n = keys.shape[0]
        self.queue[:, self.pointer : self.pointer + n] = keys.t()
        self.pointer = (self.pointer + n) % self.queue.shape[1]

    def forward(self, a, b):
        q = F.normalize(self.encoder_q(a), dim=1)
        with torch.no_grad():
            self._update()
            k = F.normalize(self.encoder_k(b), dim=1)
        positive = torch.einsum("nc,nc->n", q, k).unsqueeze(-1)
        negative = torch.einsum("nc,ck->nk", q, self.queue.clone().detach())
        logits = torch.cat([positive, negative], dim=1) / self.T
        self._enqueue(k)
        return logits, torch.zeros(len(logits), dtype=torch.long)


torch.manual_seed(0)
model = MoCo()
optimizer = torch.optim.SGD(model.encoder_q.parameters(), lr=0.05, momentum=0.9)
losses = []
for _ in range(40):
    x = torch.randn(8, 6)
    logits, labels = model(x + 0.05 * torch.randn_like(x), x + 0.05 * torch.randn_like(x))
    loss = F.cross_entropy(logits, labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
print("fell", sum(losses[-5:]) < sum(losses[:5]), model.queue.requires_grad)
