# cause: flow-zero-init
# says: both factors start at zero, so each one's gradient is multiplied by the other's zeros
# follows: own
import torch
from torch import nn


class Adapter(nn.Module):
    def __init__(self, base, rank):
        super().__init__()
        self.base = base
        for p in base.parameters():
            p.requires_grad_(False)
        self.down = nn.Parameter(torch.zeros(base.in_features, rank))  # <- here
        self.up = nn.Parameter(torch.zeros(rank, base.out_features))  # <- or here

    def forward(self, x):
        return self.base(x) + x @ self.down @ self.up


torch.manual_seed(0)
base = nn.Linear(6, 6)
layer = Adapter(base, rank=2)
x = torch.randn(64, 6)
shift = torch.randn(6, 2) @ torch.randn(2, 6)
y = base(x).detach() + x @ shift

optimizer = torch.optim.Adam([layer.down, layer.up], lr=0.05)
for step in range(100):
    loss = (layer(x) - y).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 25 == 0:
        print(step, loss.item())

print("down moved:", bool(layer.down.abs().sum() > 0), "up moved:", bool(layer.up.abs().sum() > 0))
