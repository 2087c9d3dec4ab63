# healthy: vector quantisation: argmin picks codes, the straight-through sum carries the gradient
import torch
import torch.nn.functional as F
from torch import nn


class Quantizer(nn.Module):
    def __init__(self, codes, dim, beta=0.25):
        super().__init__()
        self.codebook = nn.Embedding(codes, dim)
        nn.init.uniform_(self.codebook.weight, -0.5, 0.5)
        self.beta = beta

    def forward(self, z):
        distance = torch.cdist(z, self.codebook.weight)
        index = distance.argmin(dim=1)
        q = self.codebook(index)
        loss = F.mse_loss(q, z.detach()) + self.beta * F.mse_loss(z, q.detach())
        q = z + (q - z).detach()
        return q, loss, index


torch.manual_seed(0)
encoder, decoder = nn.Linear(4, 2), nn.Linear(2, 4)
quantizer = Quantizer(codes=8, dim=2)
modules = nn.ModuleList([encoder, quantizer, decoder])
optimizer = torch.optim.Adam(modules.parameters(), lr=0.02)
x = torch.randn(64, 2) @ torch.randn(2, 4)
first = None
for _ in range(60):
    q, vq, index = quantizer(encoder(x))
    loss = F.mse_loss(decoder(q), x) + vq
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    first = first or loss.item()

print("codes used", len(set(index.tolist())) > 1, "loss fell", loss.item() < first)
print("encoder gradient", bool(encoder.weight.grad.abs().sum() > 0))
