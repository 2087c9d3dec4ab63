# cause: function-aliased-output
# says: forward returns the memory of its input, so the in-place addition changes both
# follows: own
import torch


class Pass(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.detach()  # <- here

    @staticmethod
    def backward(ctx, g):
        return g * 0.5


a = torch.ones(3, requires_grad=True)
h = a * 2
y = Pass.apply(h)
y += 1
print(h, y)
(h.pow(2).sum() + y.sum()).backward()
print(a.grad)
