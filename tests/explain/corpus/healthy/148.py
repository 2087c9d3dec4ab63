# healthy: in-place dropout with mark_dirty, two views of it, and a Function on integer indices
import torch


class DropInPlace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p):
        m = (torch.rand_like(x) > p).to(x.dtype) / (1 - p)
        x.mul_(m)
        ctx.mark_dirty(x)
        ctx.save_for_backward(m)
        return x

    @staticmethod
    def backward(ctx, g):
        (m,) = ctx.saved_tensors
        return g * m, None


class Embed(torch.autograd.Function):
    @staticmethod
    def forward(ctx, w, i):
        ctx.save_for_backward(i)
        ctx.n = w.shape[0]
        return w[i]

    @staticmethod
    def backward(ctx, g):
        (i,) = ctx.saved_tensors
        out = g.new_zeros(ctx.n, g.shape[-1])
        out.index_add_(0, i.reshape(-1), g.reshape(-1, g.shape[-1]))
        return out, None


torch.manual_seed(0)
w = torch.randn(5, 3, requires_grad=True)
e = Embed.apply(w, torch.tensor([[0, 1], [4, 4]]))
h = DropInPlace.apply(e * 1.0, 0.3)
h.sum().backward()
print(w.grad)
