# healthy: a custom Function that uses NumPy in backward, marked once_differentiable
import numpy as np
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class NumpySort(Function):
    @staticmethod
    def forward(ctx, x):
        data = x.detach().numpy()
        order = np.argsort(data)
        ctx.order = order
        return torch.from_numpy(np.take(data, order).copy())

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        out = np.empty_like(grad.numpy())
        out[ctx.order] = grad.numpy()
        return torch.from_numpy(out)


torch.manual_seed(0)
x = torch.randn(6, dtype=torch.float64, requires_grad=True)
weights = torch.arange(6, dtype=torch.float64)
(NumpySort.apply(x) * weights).sum().backward()
expected = torch.empty(6, dtype=torch.float64)
expected[x.detach().argsort()] = weights
print(torch.equal(x.grad, expected))
print(torch.autograd.gradcheck(NumpySort.apply, (x,)))
