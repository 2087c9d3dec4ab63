# cause: learning-rate-zero
# says: gamma=0 makes the learning rate 0 after the first step.
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
sched = optim.lr_scheduler.ExponentialLR(opt, gamma=0.0)  # <- here
for step in range(16):
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
    sched.step()
    print(loss.item())
