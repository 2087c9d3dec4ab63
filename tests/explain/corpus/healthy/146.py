# healthy: a Function that takes a list, a module and strings; reversible block
import torch
from torch import nn


class Rev(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x1, x2, f, g, mode):
        with torch.no_grad():
            y1 = x1 + f(x2)
            y2 = x2 + g(y1)
        ctx.f, ctx.g = f, g
        ctx.save_for_backward(y1, y2)
        return y1, y2

    @staticmethod
    def backward(ctx, d1, d2):
        y1, y2 = ctx.saved_tensors
        with torch.enable_grad():
            y1 = y1.detach().requires_grad_()
            gy = ctx.g(y1)
            torch.autograd.backward(gy, d2)
            d1 = d1 + y1.grad
            with torch.no_grad():
                x2 = y2 - gy
            x2 = x2.detach().requires_grad_()
            fx = ctx.f(x2)
            torch.autograd.backward(fx, d1)
        return d1, d2 + x2.grad, None, None, None


torch.manual_seed(0)
f, g = nn.Sequential(nn.Linear(3, 3), nn.Tanh()), nn.Sequential(nn.Linear(3, 3), nn.Tanh())
x = torch.randn(4, 6, requires_grad=True)
a, b = Rev.apply(x[:, :3], x[:, 3:], f, g, "train")
(a.sum() + b.pow(2).sum()).backward()
ours = x.grad.clone(), f[0].weight.grad.clone()
x.grad = None
f.zero_grad()
g.zero_grad()
y1 = x[:, :3] + f(x[:, 3:])
y2 = x[:, 3:] + g(y1)
(y1.sum() + y2.pow(2).sum()).backward()
print(
    torch.allclose(ours[0], x.grad, atol=1e-5), torch.allclose(ours[1], f[0].weight.grad, atol=1e-5)
)
