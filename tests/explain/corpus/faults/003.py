# cause: never-used
# says: the layer `shortcut` takes no part in the loss: forward never calls it
# follows: "some parameters have grad None after backward" (forum)
import torch
from torch import nn

torch.manual_seed(0)


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.first = nn.Linear(width, width)
        self.second = nn.Linear(width, width)
        self.shortcut = nn.Linear(width, width, bias=False)  # <- here

    def forward(self, x):
        h = torch.relu(self.first(x))
        return torch.relu(self.second(h) + x)


model = nn.Sequential(nn.Linear(5, 6), Block(6), nn.Linear(6, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
x, y = torch.randn(20, 5), torch.randn(20, 1)

for _ in range(3):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)  # <- or here
    loss.backward()
    optimizer.step()

for name, p in model.named_parameters():
    print(f"{name:22}", None if p.grad is None else f"{p.grad.norm().item():.4f}")
