# cause: step-never-called
# says: step() is missing after backward: the optimizer never moves the weights.
# follows: Loss is exactly the same in every epoch (optimizer.step was forgotten)
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
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()  # <- here
    print(loss.item())
