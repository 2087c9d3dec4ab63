# cause: inf-backward
# says: the slope of sqrt at 0 is infinite and the scales start at 0: their gradient is inf
# follows: "sqrt backward gives inf at 0, weights become inf after the first optimizer step"
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

before = criterion(model(signals), target)
before.backward()
print("gradient", model.power.grad)
optimizer.step()
after = criterion(model(signals), target)
print("before", before.item(), "after", after.item())
