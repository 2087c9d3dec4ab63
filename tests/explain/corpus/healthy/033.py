# healthy: derivatives of higher order in a loop, the last ones of a polynomial are zero
import torch

x = torch.tensor(1.5, requires_grad=True)
f = x**4 - 2 * x**3 + x
derivative = f
for order in range(1, 6):
    (derivative,) = torch.autograd.grad(derivative, x, create_graph=True)
    print(order, derivative.item())

t = torch.linspace(0, 3, 7, requires_grad=True)
y = torch.sin(t)
(dy,) = torch.autograd.grad(y.sum(), t, create_graph=True)
(ddy,) = torch.autograd.grad(dy.sum(), t)
print(torch.allclose(ddy, -torch.sin(t)))
