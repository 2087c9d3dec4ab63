# healthy: in-place operations that nobody's backward minds
import torch
from torch import nn

torch.manual_seed(0)
w = torch.randn(4, 4, requires_grad=True)
x = torch.randn(3, 4)

h = x @ w
h += 1.0  # addition saves nothing
h.mul_(0.5)  # times a number saves nothing either
h = torch.relu_(h)
out = torch.zeros(3, 4)
out[:, :2] = h[:, :2]
out[:, 2:] = h[:, 2:] * 2
out.sum().backward()
print(w.grad.shape)

block = nn.Sequential(nn.Linear(4, 8), nn.ReLU(inplace=True), nn.Linear(8, 4))
y = block(x)
y += x  # the skip connection
y.mean().backward()
print(all(p.grad is not None for p in block.parameters()))

buffer = torch.zeros(5)
for i in range(5):
    buffer[i] = w[i % 4].sum() * i
w.grad.zero_()
buffer.sum().backward()
print(w.grad[:, 0])
