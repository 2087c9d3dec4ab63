# healthy: a long unrolled recurrence, differentiated once at its end, then a simulation under no_grad
import torch
from torch import nn

torch.manual_seed(0)
cell = nn.GRUCell(4, 8)
head = nn.Linear(8, 1)
h = torch.zeros(1, 8)
norms = []
for t in range(60):
    h = cell(torch.randn(1, 4), h)
    norms.append(h.norm().item())
loss = (head(h) - 1).pow(2).mean()
loss.backward()
print("norm", norms[-1], "gradient", cell.weight_hh.grad.norm().item())

with torch.no_grad():
    for t in range(60):
        h = cell(torch.randn(1, 4), h)
        norms.append(h.norm().item())
print("afterwards", norms[-1])
