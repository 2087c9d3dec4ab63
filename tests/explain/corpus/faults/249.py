# cause: loss-broadcast
# says: A prediction (24) minus a target (24, 1) is (24, 24): everything against everything.
# follows: own
import torch
from torch import nn, optim

torch.manual_seed(0)
x, y = torch.randn(24, 4), torch.randn(24)
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
y = y.unsqueeze(1)
opt = optim.SGD(net.parameters(), lr=0.1)
for i in range(5):
    opt.zero_grad()
    pred = net(x).squeeze()
    err = pred - y  # <- here
    loss = torch.mean(err * err)
    loss.backward()
    opt.step()
