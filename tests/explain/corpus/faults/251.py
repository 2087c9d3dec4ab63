# cause: loss-target-class
# says: Labels run from 1 to 3, the scores are for classes 0 to 2.
# follows: own
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
x, y = torch.randn(24, 4), torch.randn(24)
net = nn.Linear(4, 3)
t = torch.arange(24) % 3 + 1
logp = F.log_softmax(net(x), 1)
loss = -logp[torch.arange(24), t].mean()  # <- here
