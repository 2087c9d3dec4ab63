# cause: function-first-derivative
# says: the derivative of a running sum is a running sum from the end: backward sums from the start
# follows: own
import torch


class CumSum(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.cumsum(0)

    @staticmethod
    def backward(ctx, g):
        return g.cumsum(0)  # <- here


x = torch.randn(5, requires_grad=True)
CumSum.apply(x)[2].backward()
print(x.grad)
