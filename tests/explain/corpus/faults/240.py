# cause: wrong-optimizer-stepped
# says: The second model's backward is followed by the first optimizer's step; its own never steps.
# follows: own
import torch
import torch.nn.functional as F
from torch import nn, optim

torch.manual_seed(0)
x, y = torch.randn(24, 4), torch.randn(24, 1)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 8)
        self.b = nn.Linear(8, 1)

    def forward(self, x):
        return self.b(torch.relu(self.a(x)))


a, b = Net(), Net()
opts = {"a": optim.SGD(a.parameters(), lr=0.1), "b": optim.SGD(b.parameters(), lr=0.1)}
for step in range(5):
    opts["a"].zero_grad()
    la = F.mse_loss(a(x), y)
    la.backward()
    opts["a"].step()
    opts["b"].zero_grad()
    lb = F.mse_loss(b(x), y)
    lb.backward()
    opts["a"].step()  # <- here
    print(la.item(), lb.item())
