# healthy: counters and constants on the class of a Function, inputs by the key of the call
import torch


class Op(torch.autograd.Function):
    calls = 0
    scale = 2.0
    cache = {}

    @staticmethod
    def forward(ctx, x, key):
        Op.calls += 1
        Op.cache[key] = x.detach()
        ctx.key = key
        return Op.scale * x**2

    @staticmethod
    def backward(ctx, g):
        return 2 * Op.scale * Op.cache[ctx.key] * g, None


x = torch.ones(2, requires_grad=True)
(Op.apply(x, 0) + Op.apply(x * 2, 1)).sum().backward()
print(x.grad, Op.calls)
