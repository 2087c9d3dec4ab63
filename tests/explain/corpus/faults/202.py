# cause: never-used
# says: forward applies self.norm1 twice and self.norm2 never, so norm2 gets no gradient
# follows: own
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm1 = nn.LayerNorm(width)
        self.norm2 = nn.LayerNorm(width)  # <- here
        self.mix = nn.Linear(width, width)
        self.ff = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))

    def forward(self, x):
        x = x + self.mix(self.norm1(x))
        return x + self.ff(self.norm1(x))  # <- or here


torch.manual_seed(0)
block = Block(4)
x = torch.randn(6, 4)
block(x).square().mean().backward()
missing = [name for name, p in block.named_parameters() if p.grad is None]
if missing:
    raise RuntimeError(f"no gradient for {missing}")
