# cause: frozen
# says: requires_grad is False since it was frozen and was not unfrozen
# follows: own
import torch
from torch import nn


def freeze(m):
    for p in m.parameters():
        p.requires_grad = False  # <- here


torch.manual_seed(0)
gen, dis = nn.Linear(2, 3), nn.Linear(3, 1)
og = torch.optim.SGD(gen.parameters(), lr=0.1)
od = torch.optim.SGD(dis.parameters(), lr=0.1)
for _ in range(3):
    freeze(dis)
    og.zero_grad()
    (-dis(gen(torch.randn(5, 2)))).mean().backward()
    og.step()
    od.zero_grad()
    fake = gen(torch.randn(5, 2)).detach()
    d_loss = dis(fake).mean() - dis(torch.randn(5, 3)).mean()
    d_loss.backward()
    od.step()
