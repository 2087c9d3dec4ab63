# healthy: a right custom Function with once_differentiable that uses NumPy, checked by gradcheck
import numpy as np
import torch
from torch.autograd import Function, gradcheck
from torch.autograd.function import once_differentiable


class NumpyLog1p(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.from_numpy(np.log1p(x.detach().numpy()))

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return torch.from_numpy(g.numpy() / (1 + x.numpy()))


x = torch.rand(5, dtype=torch.double, requires_grad=True)
assert gradcheck(NumpyLog1p.apply, (x,))
NumpyLog1p.apply(x).sum().backward()
print(torch.allclose(x.grad, 1 / (1 + x.detach())))
