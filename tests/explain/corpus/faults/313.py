# cause: cancellation
# says: squared distances by |a|^2 + |b|^2 - 2ab round below zero, and their root is NaN
# follows: "Pairwise distance with the expanded formula returns nan on the diagonal"
import torch
from torch import nn


def distances(x):
    squares = (x * x).sum(dim=1)
    inner = x @ x.T
    return (squares[:, None] + squares[None, :] - 2 * inner).sqrt()  # <- here


torch.manual_seed(0)
embed = nn.Linear(3, 8)
nn.init.constant_(embed.bias, 40.0)
points = torch.randn(24, 3)
apart = ~torch.eye(24, dtype=torch.bool)

d = distances(embed(points))
loss = (d - 1).square().mean()
loss.backward()
print("loss", loss.item(), "nearest", d[apart].min().item())
