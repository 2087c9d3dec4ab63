# cause: function-left-graph
# says: n.item() is a constant to backward, so the second derivative is wrong
# follows: own
import torch


class Norm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        n = x.norm()
        ctx.save_for_backward(x, n)
        return n

    @staticmethod
    def backward(ctx, g):
        x, n = ctx.saved_tensors
        return g * x / n.item()  # <- here


x = torch.tensor([3.0, 4.0], dtype=torch.double, requires_grad=True)
assert torch.autograd.gradcheck(Norm.apply, x)
assert torch.autograd.gradgradcheck(Norm.apply, x)
