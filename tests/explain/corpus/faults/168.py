# cause: gradcheck-float32
# says: the input is float32, too coarse for steps of 1e-6; use double precision
# follows: "gradcheck fails although the backward is correct: use double precision inputs" (forum)
import torch
from torch.autograd import Function, gradcheck


class Swish(Function):
    @staticmethod
    def forward(ctx, x):
        s = torch.sigmoid(x)
        ctx.save_for_backward(x, s)
        return x * s

    @staticmethod
    def backward(ctx, grad):
        x, s = ctx.saved_tensors
        return grad * (s + x * s * (1 - s))


torch.manual_seed(0)
x = torch.randn(4, 5, requires_grad=True)  # <- here
print("forward", Swish.apply(x).sum().item())
ok = gradcheck(Swish.apply, (x,), eps=1e-6, atol=1e-4)  # <- or here
print("checked", ok)
