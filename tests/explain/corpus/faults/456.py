# cause: memory-hidden-state
# says: the layer keeps its state with the graph from call to call, without detach
# follows: own
import torch
from torch import nn


class Leaky(nn.Module):
    """A leaky integrator that remembers between calls."""

    def __init__(self, d):
        super().__init__()
        self.lin = nn.Linear(d, d)
        self.state = torch.zeros(1, d)

    def forward(self, x):
        self.state = 0.9 * self.state + torch.tanh(self.lin(x))  # <- here
        return self.state


torch.manual_seed(0)
layer = Leaky(6)
spikes = 0
for t in range(150):
    out = layer(torch.randn(1, 6))
    spikes += (out > 1).sum().item()
print("spikes", spikes)
