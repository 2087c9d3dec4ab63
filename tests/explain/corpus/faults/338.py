# cause: function-summed-axis
# says: the gradient of gamma is summed over the features; a square batch hides it
# follows: own
import torch


class BN(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, gamma, beta):
        mu, sd = x.mean(0), x.std(0, unbiased=False) + 1e-5
        xh = (x - mu) / sd
        ctx.save_for_backward(xh, gamma, sd)
        return gamma * xh + beta

    @staticmethod
    def backward(ctx, g):
        xh, gamma, sd = ctx.saved_tensors
        dgamma = (g * xh).sum(1)  # <- here
        dbeta = g.sum(0)
        dxh = g * gamma
        dx = (dxh - dxh.mean(0) - xh * (dxh * xh).mean(0)) / sd
        return dx, dgamma, dbeta  # <- or here


torch.manual_seed(0)
gamma = torch.ones(4, requires_grad=True)
beta = torch.zeros(4, requires_grad=True)
x = torch.randn(4, 4, requires_grad=True)
(BN.apply(x, gamma, beta) * torch.randn(4, 4)).sum().backward()
print(gamma.grad)
