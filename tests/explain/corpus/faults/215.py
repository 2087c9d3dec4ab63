# cause: recreated-numpy
# says: the values go through NumPy for the median and come back as data without history
# follows: own
import numpy as np
import torch
from torch import nn

torch.manual_seed(0)


def robust_center(h):
    arr = h.detach().cpu().numpy()  # <- or here
    return torch.tensor(np.median(arr, axis=0))  # <- here


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 6)
        self.second = nn.Linear(6, 2)

    def forward(self, x):
        h = torch.tanh(self.first(x))
        return self.second(robust_center(h))


net = Net()
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
x = torch.randn(15, 4)
for _ in range(3):
    loss = net(x).pow(2).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(net.first.weight.grad)
