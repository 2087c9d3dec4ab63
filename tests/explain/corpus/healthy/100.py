# healthy: gradients are looked at before and after backward and after zero_grad, to learn about them
import torch
from torch import nn

x = torch.tensor([1.0, 2.0], requires_grad=True)
print("before", x.grad)
(x**2).sum().backward()
print("after", x.grad)
x.grad = None
print("reset", x.grad)

layer = nn.Linear(2, 1)
optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
layer(x.detach()).sum().backward()
print("gradient", layer.weight.grad is not None)
optimizer.zero_grad()
print("after zero_grad", layer.weight.grad, layer.bias.grad)
