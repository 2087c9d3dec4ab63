# cause: memory-hidden-state
# says: the hidden state is never detached: the graph grows
# follows: own
import torch
from torch import nn

torch.manual_seed(0)
wx, wh = nn.Linear(2, 8), nn.Linear(8, 8)
head = nn.Linear(8, 1)
opt = torch.optim.SGD(head.parameters(), 0.01)
h = torch.zeros(1, 8)
stream = torch.randn(30, 1, 2)
for x in stream:
    h = torch.tanh(wx(x) + wh(h))  # <- here
    loss = (head(h.detach()) - 1).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item(), h.grad_fn)
