# cause: function-global-state
# says: backward reads the global LEVEL, which changed after forward had used it
# follows: own
import torch

LEVEL = 1.0


class Sharp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.tanh(LEVEL * x)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * LEVEL * (1 - torch.tanh(LEVEL * x) ** 2)  # <- here


x = torch.randn(5, requires_grad=True)
y = Sharp.apply(x).sum()
LEVEL = 3.0
y.backward()
print(x.grad)
