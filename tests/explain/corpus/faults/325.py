# cause: function-changed-input
# says: forward subtracts the mean from the caller's tensor and does not mark it dirty
# follows: own
import torch


class Shift(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, mean):
        x -= mean  # <- here
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 2 * g * x, None


a = torch.randn(4, requires_grad=True)
h = a * 3
out = Shift.apply(h, 0.5)
total = (out + h).sum()
total.backward()
print(h, a.grad)
