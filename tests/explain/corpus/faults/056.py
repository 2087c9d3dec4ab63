# cause: wrong-optimizer-stepped
# says: The generator's backward is followed by the discriminator's step; opt_g never steps.
# follows: GAN: generator loss does not improve and its weights never change
import torch
from torch import nn, optim

torch.manual_seed(7)

G = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
D = nn.Sequential(nn.Linear(1, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1))
opt_g = optim.Adam(G.parameters(), lr=1e-2)
opt_d = optim.Adam(D.parameters(), lr=1e-2)
bce = nn.BCEWithLogitsLoss()


def train_discriminator(real):
    fake = G(torch.randn(len(real), 2)).detach()
    opt_d.zero_grad()
    loss = bce(D(real), torch.ones(len(real), 1)) + bce(D(fake), torch.zeros(len(real), 1))
    loss.backward()
    opt_d.step()
    return loss.item()


def train_generator(count):
    fake = G(torch.randn(count, 2))
    opt_g.zero_grad()
    loss = bce(D(fake), torch.ones(count, 1))
    loss.backward()
    opt_d.step()  # <- here
    return loss.item()


first = [p.detach().clone() for p in G.parameters()]
for step in range(6):
    real = 3 + 0.5 * torch.randn(16, 1)
    d, g = train_discriminator(real), train_generator(16)
    print(f"{step}  D {d:.3f}  G {g:.3f}")
same = all(torch.equal(p, first[i]) for i, p in enumerate(G.parameters()))
print("generator as at the start:", same)
