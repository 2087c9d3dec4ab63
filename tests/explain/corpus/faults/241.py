# cause: zero-grad-before-step
# says: Gradients are set to None between backward and step, so the step has nothing to use.
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


net = Net()
opt = optim.SGD(net.parameters(), lr=0.1)
for step in range(5):
    F.mse_loss(net(x), y).backward()
    for p in net.parameters():
        p.grad = None  # <- here
    opt.step()
