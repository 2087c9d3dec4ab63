# cause: function-kept-on-ctx
# says: the exponential is kept on ctx as a constant, so the second derivative is lost
# follows: own
import torch


class Tanh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        e = torch.exp(2 * x)
        ctx.e = e  # <- here
        return (e - 1) / (e + 1)

    @staticmethod
    def backward(ctx, g):
        return g * 4 * ctx.e / (ctx.e + 1) ** 2


x = torch.linspace(-1, 1, 5, requires_grad=True)
y = Tanh.apply(x)
(g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
print("requires_grad", g.requires_grad)
(h,) = torch.autograd.grad((g * x).sum(), x)
print(h, torch.autograd.functional.hessian(lambda x: torch.tanh(x).sum(), x).diagonal())
