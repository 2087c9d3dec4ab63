# cause: function-order
# says: backward returns the gradient of b first although forward takes a first
# follows: own
import torch


class PowerLaw(torch.autograd.Function):
    """amplitude * exp(rate)"""

    @staticmethod
    def forward(ctx, amplitude, rate):
        grown = torch.exp(rate)
        ctx.save_for_backward(amplitude, rate)
        return amplitude * grown

    @staticmethod
    def backward(ctx, grad):
        amplitude, rate = ctx.saved_tensors
        grown = torch.exp(rate)
        grad_amplitude = grad * grown
        grad_rate = grad * amplitude * grown
        return grad_rate, grad_amplitude  # <- here


amplitude = torch.tensor([2.0, 0.5, 3.0], requires_grad=True)
rate = torch.tensor([0.1, -1.0, 0.7], requires_grad=True)

ours = torch.autograd.grad(PowerLaw.apply(amplitude, rate).sum(), [amplitude, rate])
check = torch.autograd.grad((amplitude * torch.exp(rate)).sum(), [amplitude, rate])
for name, got, want in zip(["amplitude", "rate"], ours, check, strict=True):
    print(name, [round(v, 3) for v in got.tolist()], [round(v, 3) for v in want.tolist()])
assert torch.allclose(ours[0], check[0])
