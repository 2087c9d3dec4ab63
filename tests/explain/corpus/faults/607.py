# cause: wrong-optimizer-stepped
# says: in the alternating scheme the list of optimizers is zipped in another order, each zero_grads the one and steps the other
# follows: own
import torch
from torch import nn

torch.manual_seed(0)
agents = [nn.Linear(3, 1) for _ in range(2)]
opts = [torch.optim.SGD(a.parameters(), lr=0.1) for a in agents]
x = torch.randn(16, 3)
for it in range(4):
    i = it % 2
    loss = (agents[i](x) - x[:, :1]).pow(2).mean()
    for o in opts:
        o.zero_grad()
    loss.backward()
    opts[1 - i].step()  # <- here
    print(it, loss.item())
