# cause: function-saved-intermediate
# says: exp(x) and exp(-x) are saved as constants, so the second derivative of sinh is lost
# follows: "Double backward with custom functions: SinhBad in the tutorial"
import torch


class Sinh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        up = torch.exp(x)
        down = torch.exp(-x)
        ctx.save_for_backward(up, down)  # <- here
        return (up - down) / 2

    @staticmethod
    def backward(ctx, grad_output):
        up, down = ctx.saved_tensors
        return grad_output * (up + down) / 2


def derivatives(fn, x, order):
    values = [fn(x)]
    for _ in range(order):
        (slope,) = torch.autograd.grad(values[-1].sum(), x, create_graph=True)
        values.append(slope)
    return values


x = torch.tensor([0.5, 1.5], requires_grad=True)
shift = 0.5 * x * x
value, first, second = derivatives(lambda x: Sinh.apply(x) + 0.5 * x * x, x, 2)
print("value ", [round(v, 3) for v in (value - shift).tolist()])
print("first ", [round(v, 3) for v in first.tolist()])
print("second", [round(v, 3) for v in second.tolist()])
