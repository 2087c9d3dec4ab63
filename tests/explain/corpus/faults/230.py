# cause: zero-unused-state
# says: only the first half of the joined states is read, the other reader never reaches the loss
# follows: own
import torch
from torch import nn

torch.manual_seed(0)
ahead, back = nn.Linear(3, 4), nn.Linear(3, 4)
out = nn.Linear(4, 1)
x, y = torch.randn(6, 5, 3), torch.randn(6, 1)


def encode(x):
    left = torch.tanh(ahead(x)).cumsum(dim=1)
    right = torch.tanh(back(x.flip(1))).cumsum(dim=1)
    return torch.cat([left, right], dim=2)


states = encode(x)
last = states[:, -1, :4]  # <- here
loss = (out(last) - y).pow(2).mean()
loss.backward()
for module in (ahead, back, out):
    print(module.weight.grad.norm().item())
