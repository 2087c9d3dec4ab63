# cause: function-count
# says: forward takes x and lam, backward returns one gradient only: add a None for lam.
# follows: SoftThresholdBackward returned an incorrect number of gradients
import torch


class SoftThreshold(torch.autograd.Function):
    """Shrinks every number by lam towards zero."""

    @staticmethod
    def forward(ctx, x, lam):
        keep = x.abs() > lam
        ctx.save_for_backward(keep)
        return torch.where(keep, x - lam * x.sign(), torch.zeros_like(x))

    @staticmethod
    def backward(ctx, grad_output):  # <- or here
        (keep,) = ctx.saved_tensors
        return grad_output * keep  # <- here


def unrolled(A, b, step, lam, rounds):
    x = torch.zeros(A.shape[1])
    for _ in range(rounds):
        x = SoftThreshold.apply(x - step * (A.t() @ (A @ x - b)), lam)
    return x


torch.manual_seed(0)
A = torch.randn(6, 8) / 3
truth = torch.zeros(8)
truth[2], truth[5] = 1.5, -2.0
b = A @ truth
step = torch.tensor(0.3, requires_grad=True)
for epoch in range(5):
    error = (unrolled(A, b, step, 0.02, 10) - truth).square().sum()
    step.grad = None
    error.backward()
    with torch.no_grad():
        step -= 0.01 * step.grad
    print(f"epoch {epoch} step {step.item():.4f} error {error.item():.4f}")
