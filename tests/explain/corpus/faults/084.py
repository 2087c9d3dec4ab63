# cause: hidden-write-backward
# says: Damp.backward multiplies grad_output in place, and x has the same one as gradient.
# follows: own
import torch
from torch import nn


class Damp(torch.autograd.Function):
    """Identity whose gradient is made smaller."""

    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output.mul_(ctx.factor), None  # <- here


class Stack(nn.Module):
    def __init__(self, width, depth, factor):
        super().__init__()
        self.factor = factor
        self.blocks = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))

    def forward(self, x):
        for block in self.blocks:
            x = x + Damp.apply(torch.tanh(block(x)), self.factor)
        return x


def norms(factor):
    torch.manual_seed(2)
    net = Stack(4, 5, factor)
    x = torch.randn(3, 4, requires_grad=True)
    net(x).square().sum().backward()
    return round(x.grad.norm().item(), 5), round(net.blocks[0].weight.grad.norm().item(), 5)


for factor in (1.0, 0.5, 0.1):
    at_x, at_first = norms(factor)
    print(f"factor {factor}: gradient at x {at_x}, at the first block {at_first}")
