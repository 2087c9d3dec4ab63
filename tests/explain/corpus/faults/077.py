# cause: hidden-write-data
# says: Weights are clamped through .data after forward; backward then uses the clamped ones.
# follows: own
import torch
from torch import nn, optim


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(2, 6, bias=False)
        self.outer = nn.Linear(6, 1, bias=False)

    def forward(self, x):
        return self.outer(torch.tanh(self.inner(x))).mean()


def clip(module, bound):
    for p in module.parameters():
        p.data.clamp_(-bound, bound)  # <- here


def by_hand(critic, x):
    """The gradient of the score for x, by the chain rule."""
    inner, outer = critic.inner.weight, critic.outer.weight
    hidden = torch.tanh(x @ inner.t())
    return ((1 - hidden**2) * outer) @ inner / len(x)


torch.manual_seed(0)
critic = Critic()
optimizer = optim.RMSprop(critic.parameters(), lr=1e-2)
real = torch.randn(8, 2) + 1
fake = torch.randn(8, 2, requires_grad=True)
for step in range(3):
    with torch.no_grad():
        expected = by_hand(critic, fake)
    score = critic(fake)
    loss = score - critic(real)
    clip(critic, 0.1)
    optimizer.zero_grad()
    fake.grad = None
    loss.backward()
    optimizer.step()
    gap = (fake.grad - expected).abs().max().item()
    print(f"step {step} score {score.item():+.4f} gap to the hand-made gradient {gap:.4f}")
