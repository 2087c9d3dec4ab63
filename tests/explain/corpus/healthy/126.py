# healthy: all distances between points and as many centres are wanted
import torch
from torch import optim

torch.manual_seed(0)
c = torch.randn(10, 1, requires_grad=True)
x = torch.randn(10)
opt = optim.SGD([c], lr=0.1)
for i in range(5):
    loss = (x[None, :] - c).pow(2).min(0).values.mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
