# healthy: activation checkpointing gives the same gradients
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class Deep(nn.Module):
    def __init__(self, depth, width, save_memory):
        super().__init__()
        self.blocks = nn.ModuleList(
            nn.Sequential(nn.Linear(width, width), nn.GELU()) for _ in range(depth)
        )
        self.head = nn.Linear(width, 1)
        self.save_memory = save_memory

    def forward(self, x):
        for block in self.blocks:
            x = checkpoint(block, x, use_reentrant=False) if self.save_memory else block(x)
        return self.head(x)


torch.manual_seed(6)
plain = Deep(4, 8, save_memory=False)
thrifty = Deep(4, 8, save_memory=True)
thrifty.load_state_dict(plain.state_dict())
x = torch.randn(10, 8)
for net in (plain, thrifty):
    net(x).pow(2).mean().backward()

same = [
    torch.allclose(a.grad, b.grad, atol=1e-6)
    for a, b in zip(plain.parameters(), thrifty.parameters(), strict=True)
]
print("gradients agree:", all(same))
