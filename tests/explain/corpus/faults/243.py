# cause: zero-grad-never-called
# says: zero_grad is named but not called, so gradients add up from step to step.
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
opt = optim.Adam(net.parameters(), lr=0.01)
for step in range(8):
    opt.zero_grad  # <- here
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
