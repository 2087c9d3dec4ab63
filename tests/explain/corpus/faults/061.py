# cause: buffer-not-parameter
# says: The gate is registered as a buffer, not as a parameter, so it is never trained.
# follows: Difference between register_buffer and nn.Parameter: my value is not trained
import torch
import torch.nn as nn
import torch.optim as optim


class ScaledResidual(nn.Module):
    """x + gate * f(x), the gate starts small and should grow."""

    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.fc = nn.Linear(width, width)
        self.register_buffer("gate", torch.full((width,), 0.01))  # <- here

    def forward(self, x):
        return x + self.gate * torch.relu(self.fc(self.norm(x)))


torch.manual_seed(8)
net = nn.Sequential(ScaledResidual(5), ScaledResidual(5), nn.Linear(5, 1))
opt = optim.Adam(net.parameters(), lr=0.01)
x = torch.randn(40, 5)
y = x.abs().sum(1, keepdim=True)
for _ in range(20):
    opt.zero_grad()
    loss = nn.functional.mse_loss(net(x), y)
    loss.backward()
    opt.step()
print("loss", round(loss.item(), 3))
for block in net[:2]:
    print("gate", block.gate.tolist(), "gradient", block.gate.grad)
