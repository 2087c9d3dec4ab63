# cause: function-left-graph
# says: backward computes with a list of numbers, so its own derivative is lost
# follows: own
import torch


class Log(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.log()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        inv = torch.tensor([1 / v for v in x.tolist()])  # <- here
        return g * inv


x = torch.tensor([1.0, 2.0], requires_grad=True)
y = Log.apply(x).sum()
(g,) = torch.autograd.grad(y, x, create_graph=True)
loss = (g**2).sum() + y
loss.backward()
print(x.grad)
assert torch.allclose(x.grad, 1 / x.detach() - 2 / x.detach() ** 3)
