# healthy: einsum Functions with several outputs, None gradients, set_materialize_grads(False)
import torch


class Stats(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(x)
        return x.mean(0), x.var(0, unbiased=False)

    @staticmethod
    def backward(ctx, gm, gv):
        (x,) = ctx.saved_tensors
        n = len(x)
        out = torch.zeros_like(x)
        if gm is not None:
            out = out + gm / n
        if gv is not None:
            out = out + gv * 2 * (x - x.mean(0)) / n
        return out


x = torch.randn(5, 3, requires_grad=True)
m, v = Stats.apply(x)
m.sum().backward(retain_graph=True)
v.sum().backward()
print(x.grad)
