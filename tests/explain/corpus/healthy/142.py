# healthy: gradient noise in backward, on purpose, for an identity
import torch


class Noisy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, sigma):
        ctx.sigma = sigma
        return x.view_as(x)

    @staticmethod
    def backward(ctx, g):
        return g + ctx.sigma * torch.randn_like(g), None


torch.manual_seed(0)
w = torch.randn(3, requires_grad=True)
for _ in range(5):
    loss = (Noisy.apply(w, 0.01) ** 2).sum()
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
    w.grad = None
print(loss.item())
