# healthy: a small GAN with detached fakes in the discriminator's step and two optimizers
import torch
from torch import nn

torch.manual_seed(0)
G = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 1))
D = nn.Sequential(nn.Linear(1, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
opt_g = torch.optim.Adam(G.parameters(), lr=1e-2, betas=(0.5, 0.999))
opt_d = torch.optim.Adam(D.parameters(), lr=1e-2, betas=(0.5, 0.999))
bce = nn.BCEWithLogitsLoss()
real_label, fake_label = torch.ones(32, 1), torch.zeros(32, 1)

for _ in range(60):
    real = 2.0 + 0.5 * torch.randn(32, 1)
    fake = G(torch.randn(32, 2))

    opt_d.zero_grad()
    loss_d = bce(D(real), real_label) + bce(D(fake.detach()), fake_label)
    loss_d.backward()
    opt_d.step()

    opt_g.zero_grad()
    loss_g = bce(D(fake), real_label)
    loss_g.backward()
    opt_g.step()

with torch.no_grad():
    sample = G(torch.randn(256, 2))
print("moved towards the data:", bool(sample.mean() > 0.3))
