# healthy: a test that gradcheck finds a wrong backward, and that the right one passes
import torch
from torch.autograd import Function, gradcheck


class Wrong(Function):
    @staticmethod
    def forward(ctx, x):
        return x.sin()

    @staticmethod
    def backward(ctx, g):
        return g


x = torch.linspace(0.3, 1, 4, dtype=torch.double, requires_grad=True)
assert not gradcheck(Wrong.apply, (x,), raise_exception=False)
assert gradcheck(torch.sin, (x,))
print("tests passed")
