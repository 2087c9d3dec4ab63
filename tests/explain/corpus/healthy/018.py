# healthy: SimSiam: the stop-gradient on one branch is the method
import torch
import torch.nn.functional as F
from torch import nn


class SimSiam(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Linear(6, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 8)
        )
        self.predictor = nn.Sequential(nn.Linear(8, 4), nn.ReLU(), nn.Linear(4, 8))

    def forward(self, x1, x2):
        z1, z2 = self.encoder(x1), self.encoder(x2)
        return self.predictor(z1), self.predictor(z2), z1.detach(), z2.detach()


def distance(p, z):
    return -F.cosine_similarity(p, z, dim=-1).mean()


torch.manual_seed(0)
model = SimSiam()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
for _ in range(20):
    x = torch.randn(32, 6)
    p1, p2, z1, z2 = model(x + 0.1 * torch.randn(32, 6), x + 0.1 * torch.randn(32, 6))
    loss = 0.5 * distance(p1, z2) + 0.5 * distance(p2, z1)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

print("similar views:", loss.item() < -0.5)
print("all have gradients:", all(p.grad is not None for p in model.parameters()))
