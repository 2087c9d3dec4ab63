# cause: flow-exploding
# says: weights of deviation 1 multiply the signal at each of the ten layers: gradients explode
# follows: "Exploding gradients after initialising weights with torch.randn" (forum)
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(width, width))  # <- here
        self.bias = nn.Parameter(torch.zeros(width))

    def forward(self, x):
        return torch.relu(x @ self.weight + self.bias)


torch.manual_seed(0)
net = nn.Sequential(*[Block(64) for _ in range(10)], nn.Linear(64, 1))
x = torch.randn(20, 64)
y = torch.randn(20, 1)
loss = (net(x) - y).pow(2).mean()
loss.backward()
total = torch.cat([p.grad.flatten() for p in net.parameters()]).norm()
print(f"loss {loss.item():.3e}")
assert total < 1e3, f"gradient norm {total.item():.1e}"
