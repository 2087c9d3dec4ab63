# cause: function-left-graph
# says: backward computes with NumPy, which autograd cannot see: no second derivative exists
# follows: "Double backward through a custom function that uses numpy/scipy"
import numpy as np
import torch


class Sine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.from_numpy(np.sin(x.detach().numpy()))

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        slope = np.cos(x.detach().numpy())  # <- here
        return torch.from_numpy(grad_output.detach().numpy() * slope)  # <- or here


def curvature(curve, t):
    y = curve(t)
    (first,) = torch.autograd.grad(y.sum(), t, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), t)
    return second / (1 + first**2) ** 1.5


t = torch.linspace(0, 3, 5, requires_grad=True)
print("parabola", [round(v, 3) for v in curvature(lambda t: t * t, t).tolist()])
print("sine", [round(v, 3) for v in curvature(Sine.apply, t).tolist()])
