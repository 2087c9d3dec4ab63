# cause: backward-not-called
# says: the parentheses of total.backward are missing, so the optimizer never has a gradient
# follows: own
import torch
from torch import nn, optim

torch.manual_seed(3)
net = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
opt = optim.Adam(net.parameters(), lr=0.05)
x = torch.rand(32, 2)
y = x.prod(dim=1, keepdim=True)
curve = []
for _ in range(20):
    opt.zero_grad()
    total = nn.functional.mse_loss(net(x), y)
    total.backward  # <- here
    opt.step()
    curve.append(total.item())
print("first", curve[0], "last", curve[-1])
assert curve[-1] < 0.5 * curve[0], "the loss does not fall"
