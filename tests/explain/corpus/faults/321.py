# cause: function-first-derivative
# says: b is subtracted: its gradient is -grad, backward returns grad
# follows: own
import torch


class Sub(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        return a - b

    @staticmethod
    def backward(ctx, g):
        return g, g  # <- here


a = torch.randn(3, requires_grad=True)
b = torch.randn(3, requires_grad=True)
Sub.apply(a, b).pow(2).sum().backward()
print(a.grad, b.grad)
assert torch.allclose(a.grad, -b.grad), "opposite"
