# cause: function-missing-gradient
# says: backward asks needs_input_grad[0] (the data) before it makes the gradient of weight
# follows: own
import torch


class Quadratic(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight)
        return ((x @ weight) * x).sum(dim=1)

    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        grad_x = grad_weight = None
        g = grad_output.unsqueeze(1)
        if ctx.needs_input_grad[0]:  # <- here
            grad_x = g * (x @ weight.t() + x @ weight)
            grad_weight = (g * x).t() @ x
        return grad_x, grad_weight  # <- or here


def fit(x, y, steps=5):
    weight = torch.eye(2).requires_grad_()
    losses = []
    for _ in range(steps):
        loss = ((Quadratic.apply(x, weight) - y) ** 2).mean()
        loss.backward()
        losses.append(round(loss.item(), 4))
        if weight.grad is not None:
            with torch.no_grad():
                weight -= 0.05 * weight.grad
            weight.grad.zero_()
    return losses


torch.manual_seed(0)
x = torch.randn(10, 2)
y = 2 * x[:, 0] ** 2 + x[:, 0] * x[:, 1]
print(fit(x, y))
