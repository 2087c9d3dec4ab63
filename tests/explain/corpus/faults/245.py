# cause: layers-in-list
# says: A new layer is made in every forward; no optimizer can ever hold it.
# follows: own
import torch
import torch.nn.functional as F
from torch import nn, optim

torch.manual_seed(0)
x, y = torch.randn(24, 4), torch.randn(24, 1)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(4, 1)

    def forward(self, x):
        h = nn.Linear(4, 4)(x)  # <- here
        return self.out(torch.relu(h))


net = Net()
opt = optim.SGD(net.parameters(), lr=0.1)
for step in range(6):
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
    print(loss.item())
