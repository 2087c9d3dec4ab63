# healthy: biases and the last layer of a branch start at zero, so its first gradients are zero
import torch
from torch import nn


class Residual(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.a = nn.Linear(width, width)
        self.b = nn.Linear(width, width)
        nn.init.zeros_(self.a.bias)
        nn.init.zeros_(self.b.weight)
        nn.init.zeros_(self.b.bias)

    def forward(self, x):
        return x + self.b(torch.relu(self.a(x)))


torch.manual_seed(0)
model = nn.Sequential(Residual(6), Residual(6), nn.Linear(6, 1))
x = torch.randn(64, 6)
y = x.abs().sum(1, keepdim=True)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for step in range(60):
    loss = nn.functional.mse_loss(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    if step == 0:
        print("first step, inner layer:", model[0].a.weight.grad.abs().max().item())
        start = loss.item()
    optimizer.step()

print("later", bool(model[0].a.weight.grad.abs().max() > 0), "fell", loss.item() < 0.7 * start)
