# healthy: a variational autoencoder with the reparametrisation trick
import torch
import torch.nn.functional as F
from torch import nn


class VAE(nn.Module):
    def __init__(self, dim=6, latent=2):
        super().__init__()
        self.enc = nn.Linear(dim, 16)
        self.mu = nn.Linear(16, latent)
        self.logvar = nn.Linear(16, latent)
        self.dec = nn.Sequential(nn.Linear(latent, 16), nn.ReLU(), nn.Linear(16, dim))

    def reparameterize(self, mu, logvar):
        std = torch.exp(0.5 * logvar)
        eps = torch.randn_like(std)
        return mu + eps * std

    def forward(self, x):
        h = F.relu(self.enc(x))
        mu, logvar = self.mu(h), self.logvar(h)
        z = self.reparameterize(mu, logvar)
        return torch.sigmoid(self.dec(z)), mu, logvar


def loss_function(recon, x, mu, logvar):
    bce = F.binary_cross_entropy(recon, x, reduction="sum")
    kld = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return bce + kld


torch.manual_seed(4)
x = torch.rand(40, 1).repeat(1, 6)
model = VAE()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
first = None
for _ in range(40):
    recon, mu, logvar = model(x)
    loss = loss_function(recon, x, mu, logvar) / len(x)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    first = first or loss.item()

print("loss fell:", loss.item() < first)
