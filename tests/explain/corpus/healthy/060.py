# healthy: hooks that change gradients on purpose, a pruning mask, per-sample gradients
import torch
from torch import nn

torch.manual_seed(0)
layer = nn.Linear(6, 6, bias=False)
mask = (torch.rand(6, 6) > 0.4).float()
with torch.no_grad():
    layer.weight.mul_(mask)
layer.weight.register_hook(lambda g: g * mask)
optimizer = torch.optim.SGD(layer.parameters(), lr=0.1, momentum=0.9)
x = torch.randn(40, 6)
y = x @ (torch.randn(6, 6) * mask).t()
for _ in range(50):
    h = layer(x)
    h.register_hook(lambda g: g.clamp(-0.5, 0.5))
    loss = nn.functional.mse_loss(h, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

print("sparse still", bool((layer.weight[mask == 0] == 0).all()), "fell", loss.item() < 0.2)

per_sample = []
for i in range(4):
    (g,) = torch.autograd.grad(nn.functional.mse_loss(layer(x[i]), y[i]), layer.weight)
    per_sample.append(g.flatten())
print(torch.stack(per_sample).shape)
