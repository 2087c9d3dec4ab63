# healthy: right custom Functions: mark_dirty, several inputs, needs_input_grad
import torch
from torch.autograd import Function, gradcheck


class LinearFunction(Function):
    @staticmethod
    def forward(ctx, input, weight, bias=None):
        ctx.save_for_backward(input, weight, bias)
        output = input.mm(weight.t())
        if bias is not None:
            output += bias.unsqueeze(0).expand_as(output)
        return output

    @staticmethod
    def backward(ctx, grad_output):
        input, weight, bias = ctx.saved_tensors
        grad_input = grad_weight = grad_bias = None
        if ctx.needs_input_grad[0]:
            grad_input = grad_output.mm(weight)
        if ctx.needs_input_grad[1]:
            grad_weight = grad_output.t().mm(input)
        if bias is not None and ctx.needs_input_grad[2]:
            grad_bias = grad_output.sum(0)
        return grad_input, grad_weight, grad_bias


class ReluInPlace(Function):
    @staticmethod
    def forward(ctx, x):
        x.clamp_(min=0)
        ctx.mark_dirty(x)
        ctx.save_for_backward(x)
        return x

    @staticmethod
    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        return grad * (y > 0)


torch.manual_seed(0)
x = torch.randn(5, 3, dtype=torch.double)
w = torch.randn(2, 3, dtype=torch.double, requires_grad=True)
b = torch.randn(2, dtype=torch.double, requires_grad=True)
print(gradcheck(LinearFunction.apply, (x, w, b)), gradcheck(LinearFunction.apply, (x, w)))

h = ReluInPlace.apply(LinearFunction.apply(x, w, b))
h.sum().backward()
dw, db = w.grad.clone(), b.grad.clone()
w.grad = b.grad = None
torch.relu(x @ w.t() + b).sum().backward()
print(torch.allclose(dw, w.grad), torch.allclose(db, b.grad))
