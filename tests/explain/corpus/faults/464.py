# cause: loss-broadcast
# says: the prediction is (N, 1) and the target (N): their difference is (N, N)
# follows: regression predicts the mean only, shapes (N,1) and (N) (forum)
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Scaler:
    mean: torch.Tensor = None
    std: torch.Tensor = None

    def fit(self, x):
        self.mean, self.std = x.mean(0), x.std(0).clamp_min(1e-6)
        return self

    def __call__(self, x):
        return (x - self.mean) / self.std


class Quantile(nn.Module):
    def __init__(self, q):
        super().__init__()
        self.q = q

    def forward(self, pred, target):
        e = target - pred  # <- here
        return torch.maximum(self.q * e, (self.q - 1) * e).mean()


class Regressor(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d, 24), nn.Tanh(), nn.Linear(24, 1))

    def forward(self, x):
        return self.net(x)


class Fit:
    def __init__(self, model, q=0.5):
        self.model, self.loss = model, Quantile(q)
        self.opt = torch.optim.Adam(model.parameters(), 0.02)
        self.sched = torch.optim.lr_scheduler.MultiStepLR(self.opt, [30, 45], 0.3)

    def train(self, x, y, epochs=60):
        for _ in range(epochs):
            for idx in torch.randperm(len(x)).split(20):
                loss = self.loss(self.model(x[idx]), y[idx])
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
            self.sched.step()
        return loss.item()

    @torch.no_grad()
    def r2(self, x, y):
        p = self.model(x).flatten()
        return 1 - ((p - y).pow(2).sum() / (y - y.mean()).pow(2).sum()).item()


def main():
    torch.manual_seed(0)
    x = torch.rand(80, 3) * 10
    y = 2 * x[:, 0] - x[:, 1] + 0.1 * torch.randn(80)
    sx, sy = Scaler().fit(x), Scaler().fit(y)
    fit = Fit(Regressor(3))
    print("loss", fit.train(sx(x), sy(y)))
    score = fit.r2(sx(x), sy(y))
    print("R2", score)
    assert score > 0.8


main()
