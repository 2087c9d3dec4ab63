# cause: function-dirty-not-returned
# says: x is marked dirty, but forward returns another tensor instead of x itself
# follows: "Some elements marked as dirty during the forward method were not returned as output"
import torch


class LeakyInPlace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, slope):
        below = x < 0
        x[below] *= slope
        ctx.mark_dirty(x)  # <- or here
        ctx.save_for_backward(below)
        ctx.slope = slope
        return x.clone()  # <- here

    @staticmethod
    def backward(ctx, grad_output):
        (below,) = ctx.saved_tensors
        return torch.where(below, grad_output * ctx.slope, grad_output), None


def network(x, weights):
    for weight in weights:
        x = LeakyInPlace.apply(x @ weight, 0.1)
    return x


torch.manual_seed(0)
weights = [torch.randn(4, 4, requires_grad=True) for _ in range(2)]
out = network(torch.randn(3, 4), weights)
out.pow(2).mean().backward()
print([w.grad.norm().item() for w in weights])
