# cause: buffer-not-parameter
# says: scale is a plain tensor, not an nn.Parameter, so the optimizer does not get it.
# follows: Custom tensor with requires_grad=True does not show up in model.parameters()
import torch
import torch.nn.functional as F
from torch import nn, optim

torch.manual_seed(0)
x, y = torch.randn(24, 4), torch.randn(24, 1)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.ones(4, requires_grad=True)  # <- here
        self.out = nn.Linear(4, 1)

    def forward(self, x):
        return self.out(x * self.scale)


net = Net()
opt = optim.SGD(net.parameters(), lr=0.1)
for step in range(6):
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
    print(loss.item())
