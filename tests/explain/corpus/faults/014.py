# cause: cut-no-grad
# says: the fake's features are computed under no_grad, so the generator gets no gradient
# follows: "perceptual loss with VGG features gives no gradient to the generator" (forum)
import torch
from torch import nn

torch.manual_seed(9)


class PerceptualLoss(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.Conv2d(4, 4, 3))
        self.features.requires_grad_(False)

    def forward(self, fake, real):
        with torch.no_grad():  # <- or here
            f = self.features(fake)  # <- here
            r = self.features(real)
        return (f - r).abs().mean()


generator = nn.Sequential(nn.Linear(6, 64), nn.Tanh(), nn.Unflatten(1, (1, 8, 8)))
scale = nn.Parameter(torch.tensor(1.0))
perceptual = PerceptualLoss()
optimizer = torch.optim.Adam([*generator.parameters(), scale], lr=1e-2)

noise, real = torch.randn(4, 6), torch.rand(4, 1, 8, 8)
for _ in range(5):
    fake = generator(noise)
    loss = perceptual(fake, real) + 0.01 * (scale - 1.2) ** 2
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

grads = [p.grad for p in generator.parameters()]
assert all(g is not None for g in grads), "generator has parameters without gradient"
