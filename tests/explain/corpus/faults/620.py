# cause: function-needless-gradient
# says: the mask needs no gradient, so backward must return None for it; what it calculates is lost
# follows: own
import torch


class Pick(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, mask):
        ctx.save_for_backward(x, mask)
        return x * mask

    @staticmethod
    def backward(ctx, g):
        x, mask = ctx.saved_tensors
        return g * mask, (g * x).sum() * torch.ones_like(mask)  # <- here


torch.manual_seed(0)
x = torch.randn(5, requires_grad=True)
mask = torch.tensor([1.0, 0.0, 1.0, 0.0, 1.0])
Pick.apply(x, mask).sum().backward()
print(x.grad, mask.grad)
