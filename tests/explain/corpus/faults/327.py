# cause: function-order
# says: the gradients come in the wrong order: that of b first
# follows: own
import torch


class MatMul(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a @ b

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        return a.t() @ g, g @ b.t()  # <- here


a = torch.randn(3, 4, requires_grad=True)
b = torch.randn(4, 5, requires_grad=True)
MatMul.apply(a, b).sum().backward()
