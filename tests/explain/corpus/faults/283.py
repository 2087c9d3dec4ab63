# cause: state-on-class
# says: cls.x is the input of the last call, so the inner call's backward uses a wrong one.
# follows: own
import torch


class Cube(torch.autograd.Function):
    @classmethod
    def forward(cls, ctx, x):
        cls.x = x  # <- here
        return x**3

    @classmethod
    def backward(cls, ctx, grad_output):
        return 3 * cls.x**2 * grad_output  # <- or here


def tower(x, height):
    for _ in range(height):
        x = Cube.apply(x / 2)
    return x.sum()


x = torch.tensor([1.5, 2.0, 2.5], requires_grad=True)
value = tower(x, 2)
value.backward()
step = 1e-3
higher, lower = tower(x.detach() + step, 2), tower(x.detach() - step, 2)
print("derivative", x.grad.sum().item(), "by differences", ((higher - lower) / (2 * step)).item())
