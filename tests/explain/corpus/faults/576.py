# cause: function-global-state
# says: forward depends on a global counter, so two runs differ; pass it in
# follows: own
import torch

CALLS = {"n": 0}


class Growing(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        CALLS["n"] += 1
        ctx.k = 1.0 + 0.5 * CALLS["n"]  # <- here
        return x * ctx.k

    @staticmethod
    def backward(ctx, g):
        return g * ctx.k


x = torch.rand(3, dtype=torch.double, requires_grad=True)
print(Growing.apply(x).sum())
assert torch.autograd.gradcheck(Growing.apply, (x,))
