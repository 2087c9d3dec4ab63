# cause: function-first-derivative
# says: the derivative of x ** 3 is 3 * x ** 2: backward returns 2 * x ** 2
# follows: own
import torch
from torch.autograd import Function, gradcheck


class Cube(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * 2 * x**2  # <- here


def volume(sides):
    return Cube.apply(sides).sum()


torch.manual_seed(0)
sides = torch.rand(4, dtype=torch.float64, requires_grad=True)
print("volume", round(volume(sides).item(), 4))
gradcheck(Cube.apply, (sides,))
print("checked")
