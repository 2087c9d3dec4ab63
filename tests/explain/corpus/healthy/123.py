# healthy: buffers for normalisation and a fixed encoding, printed at the end
import torch
import torch.nn.functional as F
from torch import nn, optim

torch.manual_seed(0)
x, y = torch.randn(24, 4), torch.randn(24, 1)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", x.mean(0))
        self.register_buffer("std", x.std(0))
        self.pe = torch.randn(4)
        self.l = nn.Linear(4, 1)

    def forward(self, x):
        return self.l((x - self.mean) / self.std + self.pe)


net = Net()
opt = optim.SGD(net.parameters(), lr=0.1)
for step in range(6):
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
    print(loss.item())
print(net.mean.tolist(), net.std.tolist())
