# healthy: one graph, several gradients: rows of a Jacobian and two losses with retain_graph
import torch
from torch import nn

torch.manual_seed(5)
net = nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Linear(6, 8))
x = torch.randn(3, requires_grad=True)
for repeat in range(4):
    y = net(x)
    rows = []
    for i in range(8):
        (row,) = torch.autograd.grad(y[i], x, retain_graph=True)
        rows.append(row)
    jacobian = torch.stack(rows)
    reference = torch.autograd.functional.jacobian(net, x)
    assert torch.allclose(jacobian, reference, atol=1e-6)

    net.zero_grad()
    y.pow(2).mean().backward(retain_graph=True)
    y.abs().mean().backward()
print("equal to the reference")
