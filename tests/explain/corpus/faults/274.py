# cause: wrote-saved-value
# says: The running scale is updated in place after the division had saved it.
# follows: own
import torch
from torch import nn


class Whiten(nn.Module):
    def __init__(self, width, momentum=0.1):
        super().__init__()
        self.momentum = momentum
        self.register_buffer("center", torch.zeros(width))
        self.register_buffer("scale", torch.ones(width))

    def forward(self, x):
        out = (x - self.center) / self.scale
        if self.training:
            self.track(x.detach())
        return out

    def track(self, x):
        self.center.lerp_(x.mean(0), self.momentum)
        self.scale.lerp_(x.std(0), self.momentum)  # <- here


torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 4), Whiten(4), nn.Tanh(), nn.Linear(4, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for step in range(3):
    x = torch.randn(16, 3)
    loss = (model(x) - x.sum(1, keepdim=True)).abs().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, loss.item())
