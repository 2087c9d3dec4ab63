# cause: nan-forward
# says: a probability reached exactly 1, so (1 - y) * log(1 - p) is 0 * -inf, which is NaN
# follows: "My own binary cross entropy returns nan while nn.BCELoss works"
import torch
from torch import nn


class Scorer(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 1)
        with torch.no_grad():
            self.linear.weight.fill_(1.0)
            self.linear.bias.zero_()

    def forward(self, x):
        return torch.sigmoid(self.linear(x)).squeeze(1)


def bce(p, y):
    positive = y * torch.log(p)
    negative = (1 - y) * torch.log(1 - p)  # <- here
    return -(positive + negative).mean()


torch.manual_seed(0)
x = torch.tensor([[0.5, 0.25], [-0.5, 0.1], [20.0, 30.0], [0.1, -0.4]])
y = torch.tensor([1.0, 0.0, 1.0, 0.0])

model = Scorer()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for step in range(3):
    optimizer.zero_grad()
    loss = bce(model(x), y)
    assert torch.isfinite(loss), f"step {step}: loss is {loss.item()}"
    loss.backward()
    optimizer.step()
