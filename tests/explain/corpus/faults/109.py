# cause: inf-backward
# says: the slope of sqrt at 0 is infinite and the scales start at 0: their gradient is inf
# follows: "The total norm of order 2.0 for gradients is non-finite: sqrt at 0"
import torch
from torch import nn


class Mixture(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.power = nn.Parameter(torch.zeros(channels))

    def forward(self, x):
        amplitude = torch.sqrt(self.power)  # <- here
        return (x * amplitude).sum(dim=1)


torch.manual_seed(0)
signals = torch.rand(10, 3) + 0.1
target = signals @ torch.tensor([0.5, 1.0, 0.25])

model = Mixture(3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.MSELoss()

for step in range(3):
    loss = criterion(model(signals), target)
    optimizer.zero_grad()
    loss.backward()
    print(step, loss.item())
    nn.utils.clip_grad_norm_(model.parameters(), 1.0, error_if_nonfinite=True)
    optimizer.step()
