# healthy: top-k mask, soft threshold, sign descent and quantised weights, all on purpose
import torch


class SoftThreshold(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, t):
        y = x.sign() * (x.abs() - t).clamp(min=0)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * (y != 0), None


class Prune(torch.autograd.Function):
    @staticmethod
    def forward(ctx, w, keep):
        k = int(w.numel() * keep)
        t = w.abs().flatten().kthvalue(w.numel() - k)[0]
        return w * (w.abs() > t)

    @staticmethod
    def backward(ctx, g):
        return g, None


class Quant(torch.autograd.Function):
    @staticmethod
    def forward(ctx, w, bits):
        s = w.abs().max() / (2 ** (bits - 1) - 1)
        return (w / s).round() * s

    @staticmethod
    def backward(ctx, g):
        return g, None


torch.manual_seed(0)
w = torch.randn(6, 6, requires_grad=True)
x = torch.randn(4, 6)
for f, a in ((SoftThreshold, 0.3), (Prune, 0.5), (Quant, 4)):
    (x @ f.apply(w, a)).pow(2).sum().backward()
    print(w.grad.norm().item())
    w.grad = None
