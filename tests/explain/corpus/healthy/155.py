# healthy: autograd.grad with allow_unused=True, where one input is meant to be without gradient
import torch

torch.manual_seed(0)
a, b, c = (torch.randn(3, requires_grad=True) for _ in range(3))
switch = {"use b": lambda: (a * b).sum(), "use c": lambda: (a * c.exp()).sum()}
for name, value in switch.items():
    found = torch.autograd.grad(value(), [a, b, c], allow_unused=True)
    print(name, [g is not None for g in found])
points = torch.rand(5, 2, requires_grad=True)
x, t = points[:, :1], points[:, 1:]
u = torch.sin(x) * torch.exp(-t)
u_x, u_t = torch.autograd.grad(u.sum(), (x, t))
print(torch.allclose(u_t, -u), u_x.shape)
