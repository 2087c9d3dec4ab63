# cause: frozen
# says: GAN: D frozen for G's step and never unfrozen; D is the only thing the critic loss needs
# follows: own
import torch
from torch import nn

torch.manual_seed(0)
D, G = nn.Linear(3, 1), nn.Linear(2, 3)
od, og = torch.optim.RMSprop(D.parameters(), 1e-2), torch.optim.RMSprop(G.parameters(), 1e-2)


def d_step():
    with torch.no_grad():
        fake = G(torch.randn(6, 2))
    loss = D(fake).mean() - D(torch.randn(6, 3)).mean()
    od.zero_grad()
    loss.backward()
    od.step()


def g_step():
    D.requires_grad_(False)  # <- here
    loss = -D(G(torch.randn(6, 2))).mean()
    og.zero_grad()
    loss.backward()
    og.step()


for _ in range(2):
    d_step()
    g_step()
