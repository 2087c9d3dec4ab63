# cause: function-summed-axis
# says: the gradient of s is summed over the rows; with a square matrix nobody sees it
# follows: own
import torch


class RowScale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, s):
        ctx.save_for_backward(x, s)
        return x * s[:, None]

    @staticmethod
    def backward(ctx, g):
        x, s = ctx.saved_tensors
        return g * s[:, None], (g * x).sum(0)  # <- here


torch.manual_seed(0)
x = torch.randn(4, 4)
s = torch.ones(4, requires_grad=True)
RowScale.apply(x, s).pow(2).sum().backward()
want = (2 * x * x).sum(1)
print(s.grad, want)
assert torch.allclose(s.grad, want)
