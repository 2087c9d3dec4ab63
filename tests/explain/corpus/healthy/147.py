# healthy: implicit function with Newton iterations, right gradient
import torch


class Root(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        x = torch.ones_like(a)
        for _ in range(30):
            x = x - (x**3 + x - a) / (3 * x**2 + 1)
        ctx.save_for_backward(x)
        return x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g / (3 * x**2 + 1)


a = torch.linspace(-2, 2, 7, requires_grad=True)
y = Root.apply(a)
(g,) = torch.autograd.grad(y.sum(), a, create_graph=True)
(h,) = torch.autograd.grad(g.sum(), a)
print(g, h)
