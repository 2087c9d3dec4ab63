# healthy: WGAN-GP: the gradient penalty needs create_graph
import torch
from torch import autograd, nn

torch.manual_seed(0)
critic = nn.Sequential(nn.Linear(2, 24), nn.Tanh(), nn.Linear(24, 1))
generator = nn.Sequential(nn.Linear(2, 24), nn.ReLU(), nn.Linear(24, 2))
opt_c = torch.optim.Adam(critic.parameters(), lr=5e-3, betas=(0.0, 0.9))
opt_g = torch.optim.Adam(generator.parameters(), lr=5e-3, betas=(0.0, 0.9))


def gradient_penalty(real, fake):
    alpha = torch.rand(real.size(0), 1)
    mixed = (alpha * real + (1 - alpha) * fake).requires_grad_(True)
    score = critic(mixed)
    (grad,) = autograd.grad(
        outputs=score,
        inputs=mixed,
        grad_outputs=torch.ones_like(score),
        create_graph=True,
        retain_graph=True,
        only_inputs=True,
    )
    return ((grad.norm(2, dim=1) - 1) ** 2).mean()


for _ in range(12):
    for _ in range(2):
        real = torch.randn(16, 2) * 0.3 + 1
        fake = generator(torch.randn(16, 2)).detach()
        loss_c = critic(fake).mean() - critic(real).mean() + 10 * gradient_penalty(real, fake)
        opt_c.zero_grad()
        loss_c.backward()
        opt_c.step()
    loss_g = -critic(generator(torch.randn(16, 2))).mean()
    opt_g.zero_grad()
    loss_g.backward()
    opt_g.step()

print("finite", bool(torch.isfinite(loss_c)), bool(torch.isfinite(loss_g)))
