# healthy: a learning rate of zero for one group, on purpose (frozen by lr), a retain_grad printed as None before backward
import torch
from torch import nn

torch.manual_seed(0)
a, b = nn.Linear(3, 4), nn.Linear(4, 1)
opt = torch.optim.SGD([{"params": a.parameters(), "lr": 0.0}, {"params": b.parameters()}], lr=0.1)
x = torch.randn(30, 3)
for i in range(10):
    h = torch.tanh(a(x))
    h.retain_grad()
    if i == 0:
        print("not yet:", h.grad)
    loss = (b(h) - x[:, :1]).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item(), h.grad.shape)
