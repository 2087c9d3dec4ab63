# cause: function-kept-on-ctx
# says: the input is kept on ctx by attribute, so nobody noticed that its buffer was cleared
# follows: own
import torch


class LinearF(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.saved = (x, w)  # <- here
        return x @ w

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved
        return g @ w.t(), x.t() @ g


torch.manual_seed(0)
w = torch.randn(3, 3, requires_grad=True)
x = torch.randn(2, 3)
buf = x.clone()
out = LinearF.apply(buf, w)
buf.zero_()
out.sum().backward()
print(w.grad)
assert w.grad.abs().sum() > 0
