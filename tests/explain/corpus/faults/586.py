# cause: flow-exploding
# says: the gradient explodes over 40 recurrent steps with a gain over 1
# follows: own
import torch
from torch import nn

torch.manual_seed(0)
W = nn.Parameter(torch.eye(5) * 2.0)
inp = nn.Linear(2, 5)
opt = torch.optim.SGD([W, *inp.parameters()], lr=1e-3)
xs = torch.randn(40, 3, 2)
for ep in range(2):
    h = torch.zeros(3, 5)
    for x in xs:
        h = h @ W + inp(x)  # <- here
    loss = h.pow(2).mean()
    opt.zero_grad()
    loss.backward()
    print(loss.item(), W.grad.norm().item())
    opt.step()
