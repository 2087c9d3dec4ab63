# cause: backward-never-ran
# says: only the reconstruction is backwarded; the loss with the regularizer is computed and thrown away
# follows: own
import torch
from torch import nn

torch.manual_seed(0)
enc, prior = nn.Linear(4, 2), nn.Linear(1, 2)
opt = torch.optim.SGD([*enc.parameters(), *prior.parameters()], 0.1)
for _ in range(3):
    x = torch.randn(6, 4)
    z = enc(x)
    rec = (z.sum(1) - x.sum(1)).pow(2).mean()
    total = rec + (z - prior(torch.ones(6, 1))).pow(2).mean()  # <- or here
    opt.zero_grad()
    rec.backward()  # <- here
    opt.step()
    print(total.item())
print(prior.weight.grad)
