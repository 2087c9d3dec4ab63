# cause: function-first-derivative
# says: the derivative of sqrt(x*x + eps) is x / sqrt(x*x + eps): backward takes half the sign
# follows: own
import torch


class SmoothAbs(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, eps):
        ctx.save_for_backward(x)
        ctx.eps = eps
        return torch.sqrt(x * x + eps)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        grad_x = grad * x.sign()
        grad_x = grad_x * 0.5  # <- here
        return grad_x, None


torch.manual_seed(1)
w = torch.randn(6, requires_grad=True)
for _ in range(5):
    loss = SmoothAbs.apply(w, 1e-2).sum()
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
    w.grad = None
    print(loss.item())
