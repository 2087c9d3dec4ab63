# cause: hidden-write-hook
# says: The hook scales its gradient in place; the shortcut shares it and is scaled too.
# follows: own
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.shortcut = nn.Linear(width, width)
        self.branch = nn.Sequential(nn.Linear(width, width), nn.Tanh())

    def forward(self, x, quiet):
        straight = self.shortcut(x)
        side = self.branch(x)
        if quiet:
            side.register_hook(lambda g: g.mul_(0.1))  # <- here
        return straight + side


def gradients(block, x, quiet):
    block.zero_grad()
    block(x, quiet).square().sum().backward()
    return {name: p.grad.norm().item() for name, p in block.named_parameters()}


torch.manual_seed(0)
block = Block(3)
x = torch.randn(5, 3)
plain, quiet = gradients(block, x, False), gradients(block, x, True)
for name in plain:
    print(f"{name:16} {plain[name]:9.4f} -> {quiet[name]:9.4f}")
assert abs(plain["shortcut.weight"] - quiet["shortcut.weight"]) < 1e-4
