# cause: memory-hidden-state
# says: the layer keeps its state between calls with the whole history; detach it after each step
# follows: own
import torch
from torch import nn


class Echo(nn.Module):
    """A layer that remembers its last output."""

    def __init__(self, size):
        super().__init__()
        self.mix = nn.Linear(2 * size, size)
        self.memory = None

    def forward(self, x):
        if self.memory is None:
            self.memory = torch.zeros_like(x)
        self.memory = torch.tanh(self.mix(torch.cat([x, self.memory], dim=-1)))  # <- here
        return self.memory


torch.manual_seed(6)
net = nn.Sequential(nn.Linear(2, 6), Echo(6), nn.Linear(6, 1))
signal = torch.randn(14, 2)
wanted = signal.cumsum(0)[:, :1].tanh()
gradients = []
for x, y in zip(signal, wanted, strict=True):
    loss = (net(x) - y).pow(2).sum()
    grads = torch.autograd.grad(loss, list(net.parameters()), retain_graph=True)  # <- or here
    gradients.append(torch.cat([g.flatten() for g in grads]))

mean = torch.stack(gradients).mean(0)
print("norm of the mean gradient", round(mean.norm().item(), 4))
