# cause: gradcheck-wrong-part
# says: of the three parts it is Scale whose backward is wrong: it forgets the factor
# follows: own
import torch
from torch.autograd import Function


class Centre(Function):
    @staticmethod
    def forward(ctx, x):
        return x - x.mean(-1, keepdim=True)

    @staticmethod
    def backward(ctx, g):
        return g - g.mean(-1, keepdim=True)


class Scale(Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x * factor

    @staticmethod
    def backward(ctx, g):  # <- or here
        return g, None  # <- here


class Cube(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 3 * g * x * x


def pipeline(x):
    return Cube.apply(Scale.apply(Centre.apply(x), 0.25)).sum(-1)


torch.manual_seed(0)
x = torch.randn(2, 5, dtype=torch.float64, requires_grad=True)
torch.autograd.gradcheck(pipeline, (x,))
print("all parts are right")
