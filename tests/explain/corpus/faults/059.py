# cause: zero-grad-never-called
# says: zero_grad is never called, so every step uses the sum of all gradients so far.
# follows: Why do we need to call zero_grad? (loss goes down, then up again)
import torch
from torch import nn, optim


class Line(nn.Module):
    def __init__(self):
        super().__init__()
        self.slope = nn.Parameter(torch.zeros(1))
        self.offset = nn.Parameter(torch.zeros(1))

    def forward(self, x):
        return self.slope * x + self.offset


torch.manual_seed(0)
x = torch.linspace(-1, 1, 21)
y = 2 * x + 1
model = Line()
optimizer = optim.SGD(model.parameters(), lr=0.2)
losses = []
for _ in range(16):
    loss = (model(x) - y).pow(2).mean()
    loss.backward()  # <- or here
    optimizer.step()  # <- here
    losses.append(round(loss.item(), 4))
print(losses)
print("slope", round(model.slope.item(), 3), "offset", round(model.offset.item(), 3))
assert losses[-1] < 0.05, "a straight line should be easy"
