# healthy: padding with -inf before pooling, best scores that begin at -inf and inf
import math

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
conv = nn.Conv2d(1, 3, 3)
image = torch.randn(2, 1, 8, 8)
padded = F.pad(conv(image), (1, 1, 1, 1), value=-math.inf)
pooled = F.max_pool2d(padded, 2)
pooled.square().mean().backward()

lowest = torch.tensor(math.inf)
highest = torch.full((3,), -math.inf)
for channel in pooled.detach().unbind(0):
    lowest = torch.minimum(lowest, channel.min())
    highest = torch.maximum(highest, channel.amax(dim=(1, 2)))
print(lowest.item() < highest.max().item(), torch.isfinite(conv.weight.grad).all().item())
