# cause: function-grad-ignored
# says: backward never uses the gradient of the second output
# follows: own
import torch


class Two(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sin(), x.cos()

    @staticmethod
    def backward(ctx, g_sin, g_cos):
        (x,) = ctx.saved_tensors
        return g_sin * x.cos()  # <- here


x = torch.randn(3, dtype=torch.double, requires_grad=True)
s, c = Two.apply(x)
(s * 2 + c * 3).sum().backward()
print(x.grad, 2 * x.cos() - 3 * x.sin())
assert torch.allclose(x.grad, 2 * x.cos() - 3 * x.sin())
