# cause: copied-not-linked
# says: copy_ under no_grad moves numbers into the layer; the generating network has no link to it
# follows: own
import torch
from torch import nn

torch.manual_seed(0)
hyper = nn.Linear(2, 6)
layer = nn.Linear(3, 2, bias=False)
opt = torch.optim.Adam(hyper.parameters(), lr=0.01)
context, x, y = torch.randn(2), torch.randn(10, 3), torch.randn(10, 2)
for _ in range(3):
    generated = hyper(context).view(2, 3)
    with torch.no_grad():
        layer.weight.copy_(generated)  # <- here
    loss = (layer(x) - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print([p.grad for p in hyper.parameters()])
