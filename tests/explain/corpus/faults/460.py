# cause: reset-by-zero-grad
# says: net.zero_grad() inside the second loss's function throws away the gradient of the first
# follows: own
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 2)
x_sup, y_sup, x_uns = torch.randn(12, 4), torch.randint(0, 2, (12,)), torch.randn(30, 4)


def supervised():
    nn.functional.cross_entropy(net(x_sup), y_sup).backward()
    return net.weight.grad.clone()


def consistency():
    net.zero_grad()  # <- here
    p = net(x_uns).softmax(1)
    q = net(x_uns + 0.1 * torch.randn_like(x_uns)).softmax(1)
    (p - q).pow(2).mean().backward()


g1 = supervised()
consistency()
joint = net.weight.grad
print("supervised part", g1.norm().item(), "sum of both", joint.norm().item())
assert joint.norm() > 0.5 * g1.norm(), "supervised gradient is missing"
