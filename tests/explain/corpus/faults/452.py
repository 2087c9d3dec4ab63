# cause: state-on-class
# says: the shape is kept on the class; the second call overwrites it before the first one's backward
# follows: own
import torch
from torch.autograd import Function


class Flat(Function):
    shape = None

    @staticmethod
    def forward(ctx, x):
        Flat.shape = x.shape  # <- here
        return x.reshape(x.shape[0], -1)

    @staticmethod
    def backward(ctx, g):
        return g.reshape(Flat.shape)  # <- or here


torch.manual_seed(0)
img = torch.randn(2, 3, 4, requires_grad=True)
aux = torch.randn(2, 5, 2, requires_grad=True)
z = torch.cat([Flat.apply(img), Flat.apply(aux)], 1)
z.pow(2).mean().backward()
print(img.grad.shape, aux.grad.shape)
