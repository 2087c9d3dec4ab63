# cause: nan-backward
# says: masked_fill replaces sin(t) / t at 0, but the backward of the division still is 0 * inf
# follows: own
import torch
from torch import nn


class SincFilter(nn.Module):
    def __init__(self, taps):
        super().__init__()
        self.cut = nn.Parameter(torch.tensor(1.5))
        self.register_buffer("n", torch.arange(taps) - taps // 2)

    def forward(self, signal):
        t = self.cut * self.n
        taps = torch.sin(t) / t  # <- here
        taps = taps.masked_fill(self.n == 0, 1.0)
        return nn.functional.conv1d(signal, taps.view(1, 1, -1))


torch.manual_seed(0)
layer = SincFilter(7)
noise = torch.randn(2, 1, 30)
loss = layer(noise).pow(2).mean()
loss.backward()
print("loss", round(loss.item(), 4))
assert layer.cut.grad == layer.cut.grad, layer.cut.grad
