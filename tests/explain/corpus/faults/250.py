# cause: loss-softmax-before-cross-entropy
# says: forward ends in a softmax and CrossEntropyLoss applies another one.
# follows: own
import torch
from torch import nn, optim

torch.manual_seed(0)
x, y = torch.randn(24, 4), torch.randn(24)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(4, 3)
        self.softmax = nn.Softmax(dim=1)

    def forward(self, x):
        return self.softmax(self.l(x))  # <- here


net = Net()
t = torch.arange(24) % 3
opt = optim.SGD(net.parameters(), lr=0.1)
for step in range(6):
    opt.zero_grad()
    loss = nn.CrossEntropyLoss()(net(x), t)
    loss.backward()
    opt.step()
    print(loss.item())
