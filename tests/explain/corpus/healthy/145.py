# healthy: cached constants on the class, filled once
import torch


class DFT(torch.autograd.Function):
    cache = {}

    @staticmethod
    def matrix(n):
        if n not in DFT.cache:
            k = torch.arange(n, dtype=torch.float32)
            DFT.cache[n] = torch.cos(2 * torch.pi * k[:, None] * k / n)
        return DFT.cache[n]

    @staticmethod
    def forward(ctx, x):
        return x @ DFT.matrix(x.shape[-1])

    @staticmethod
    def backward(ctx, g):
        return g @ DFT.matrix(g.shape[-1]).t()


x = torch.randn(2, 4, requires_grad=True)
z = torch.randn(2, 5, requires_grad=True)
(DFT.apply(x).sum() + DFT.apply(z).pow(2).sum()).backward()
print(x.grad, z.grad)
