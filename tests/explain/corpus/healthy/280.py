# healthy: importance-weighted bound with distributions, KL annealed from 0, fixed prior buffers, logsumexp over samples
import math

import torch
from torch import nn
from torch.distributions import Bernoulli, Independent, Normal, kl_divergence


class Prior(nn.Module):
    def __init__(self, z):
        super().__init__()
        self.register_buffer("loc", torch.zeros(z))
        self.register_buffer("scale", torch.ones(z))

    def forward(self):
        return Independent(Normal(self.loc, self.scale), 1)


class IWAE(nn.Module):
    def __init__(self, d=10, z=2, h=24):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(d, h), nn.Tanh(), nn.Linear(h, 2 * z))
        self.dec = nn.Sequential(nn.Linear(z, h), nn.Tanh(), nn.Linear(h, d))
        self.prior = Prior(z)

    def posterior(self, x):
        m, s = self.enc(x).chunk(2, -1)
        return Independent(Normal(m, nn.functional.softplus(s) + 1e-4), 1)

    def likelihood(self, z):
        return Independent(Bernoulli(logits=self.dec(z)), 1)

    def elbo(self, x, beta):
        q = self.posterior(x)
        z = q.rsample()
        rec = self.likelihood(z).log_prob(x)
        return (rec - beta * kl_divergence(q, self.prior())).mean()

    def bound(self, x, k, sticky=True):
        q = self.posterior(x)
        z = q.rsample((k,))
        if sticky:
            base = q.base_dist
            q = Independent(Normal(base.loc.detach(), base.scale.detach()), 1)
        logw = self.likelihood(z).log_prob(x) + self.prior().log_prob(z) - q.log_prob(z)
        if sticky:
            with torch.no_grad():
                w = logw.softmax(0)
            z.requires_grad and z.register_hook(lambda g: w.unsqueeze(-1) * g)
            return (w * logw).sum(0).mean()
        return (logw.logsumexp(0) - math.log(k)).mean()


class Trainer:
    def __init__(self):
        self.m = IWAE()
        self.opt = torch.optim.Adam(self.m.parameters(), 1e-2)

    def run(self, x, epochs):
        for e in range(epochs):
            beta = min(1.0, e / 4)
            for xb in x.split(16):
                loss = -self.m.elbo(xb, beta) if e < 5 else -self.m.bound(xb, 4, sticky=e % 2 == 0)
                self.opt.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.m.parameters(), 5.0)
                self.opt.step()
        with torch.no_grad():
            return self.m.bound(x, 50, sticky=False).item()


torch.manual_seed(0)
proto = (torch.rand(3, 10) > 0.5).float()
x = proto[torch.randint(0, 3, (64,))]
x = torch.where(torch.rand_like(x) < 0.05, 1 - x, x)
tr = Trainer()
with torch.no_grad():
    b0 = tr.m.bound(x, 50, sticky=False).item()
b1 = tr.run(x, 9)
print(b0, b1)
assert b1 > b0
