# cause: cut-integer-cast
# says: the learned shift is cast to an int for roll, so it gets no gradient
# follows: own
import torch
from torch import nn

torch.manual_seed(0)


class Shift(nn.Module):
    def __init__(self):
        super().__init__()
        self.shift = nn.Parameter(torch.tensor(2.4))
        self.scale = nn.Parameter(torch.tensor(1.0))

    def forward(self, x):
        position = torch.arange(x.numel()) + self.shift
        index = position.to(torch.int64) % x.numel()  # <- here
        return self.scale * x[index]


model = Shift()
wave = torch.sin(torch.arange(30) / 4)
target = 0.7 * wave.roll(-5)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(20):
    opt.zero_grad()
    nn.functional.mse_loss(model(wave), target).backward()
    opt.step()
assert model.shift.grad is not None
