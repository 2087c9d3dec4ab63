# healthy: LoRA done right: one factor random, one zero, the base frozen
import torch
from torch import nn


class LoRALinear(nn.Module):
    def __init__(self, base, r=2, alpha=4):
        super().__init__()
        self.base = base
        self.base.weight.requires_grad = False
        self.base.bias.requires_grad = False
        self.A = nn.Parameter(torch.randn(r, base.in_features) * 0.1)
        self.B = nn.Parameter(torch.zeros(base.out_features, r))
        self.scaling = alpha / r

    def forward(self, x):
        return self.base(x) + (x @ self.A.t() @ self.B.t()) * self.scaling

    @torch.no_grad()
    def merge(self):
        self.base.weight += self.B @ self.A * self.scaling
        return self.base


torch.manual_seed(0)
base = nn.Linear(6, 4)
layer = LoRALinear(base)
x = torch.randn(50, 6)
y = base(x).detach() + (x @ torch.randn(6, 1)) @ torch.randn(1, 4)
optimizer = torch.optim.AdamW([p for p in layer.parameters() if p.requires_grad], lr=0.02)
first = None
for _ in range(80):
    loss = nn.functional.mse_loss(layer(x), y)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    first = first or loss.item()

with torch.no_grad():
    adapted = layer(x)
print("fell", loss.item() < 0.5 * first, torch.allclose(layer.merge()(x), adapted, atol=1e-4))
