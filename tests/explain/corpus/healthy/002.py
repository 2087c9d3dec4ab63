# healthy: custom functions of a Korean blog, straight-through sign and gradient reversal included
import torch


class STE_Sign(torch.autograd.Function):
    @staticmethod
    def forward(ctx, input):
        return torch.sign(input)

    @staticmethod
    def backward(ctx, grad_output):
        # 입력이 -1과 1 사이일 때만 미분값을 1로 간주하여 통과시킴
        return grad_output.clone()


class GRL(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, alpha):
        ctx.alpha = alpha
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad_output):
        # 역전파 시 alpha를 곱하고 부호를 반전
        return grad_output.neg() * ctx.alpha, None


class ScaledExp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, input, scale):
        ctx.save_for_backward(input)
        ctx.scale = scale
        return torch.exp(input) * scale

    @staticmethod
    def backward(ctx, grad_output):
        (input,) = ctx.saved_tensors
        # exp(x)의 미분은 exp(x)임을 활용
        grad_input = grad_output * torch.exp(input) * ctx.scale
        return grad_input, None  # scale 인자에 대한 미분은 None


class MultiOp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a + b, a * b

    @staticmethod
    def backward(ctx, grad_sum, grad_mul):
        a, b = ctx.saved_tensors
        return grad_sum + grad_mul * b, grad_sum + grad_mul * a


torch.manual_seed(0)
x = torch.randn(5, requires_grad=True)
out = STE_Sign.apply(x)
out.sum().backward()
print(x.grad)

x.grad = None
GRL.apply(ScaledExp.apply(x, 2.0), 0.5).sum().backward()
print(x.grad)

a, b = torch.randn(3, requires_grad=True), torch.randn(3, requires_grad=True)
total, product = MultiOp.apply(a, b)
(total + product).sum().backward()
print(torch.allclose(a.grad, 1 + b.detach()), torch.allclose(b.grad, 1 + a.detach()))
