# healthy: shortest paths and an alignment table are full of inf, and soft-DTW by logsumexp
import math

import torch

distance = torch.full((4, 4), math.inf).fill_diagonal_(0.0)
for i, j, length in ((0, 1, 1.0), (1, 2, 2.0), (0, 2, 5.0)):
    distance[i, j] = length
for k in range(4):
    distance = torch.minimum(distance, distance[:, k : k + 1] + distance[k : k + 1, :])
print(distance[0, 2].item(), distance[0, 3].item())

torch.manual_seed(0)
a = torch.randn(4, 2, requires_grad=True)
b = torch.randn(5, 2)
cost = (a[:, None] - b[None]).square().sum(-1)
table = [[torch.tensor(math.inf)] * 6 for _ in range(5)]
table[0][0] = torch.tensor(0.0)
for i in range(4):
    for j in range(5):
        before = torch.stack([table[i][j], table[i][j + 1], table[i + 1][j]])
        table[i + 1][j + 1] = cost[i, j] - torch.logsumexp(-before, dim=0)
table[4][5].backward()
print(torch.isfinite(a.grad).all().item())
