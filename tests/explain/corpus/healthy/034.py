# healthy: weights read through .data, decayed and renormalised between the steps
import torch
from torch import nn

torch.manual_seed(0)
layer = nn.Linear(5, 3)
layer.weight.data.normal_(0.0, 0.1)
layer.bias.data.fill_(0)
print("start", layer.weight.data.abs().mean() > 0)

optimizer = torch.optim.SGD(layer.parameters(), lr=0.3)
x = nn.functional.normalize(torch.randn(60, 5), dim=1)
y = torch.randint(0, 3, (60,))
for _ in range(25):
    loss = nn.functional.cross_entropy(5 * layer(x), y)
    optimizer.zero_grad()
    loss.backward()
    layer.bias.grad.data.clamp_(-0.1, 0.1)
    optimizer.step()
    norm = layer.weight.data.norm(dim=1, keepdim=True)
    layer.weight.data.div_(norm.clamp(min=1.0))

print("row norms at most one:", bool((layer.weight.data.norm(dim=1) < 1.0001).all()))
print("loss", loss.data.item())
