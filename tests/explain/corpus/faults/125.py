# cause: function-changed-input
# says: forward divides the caller's tensor in place and does not say so with mark_dirty
# follows: "Custom autograd function modifies its input, gradients of other branch are wrong"
import torch
from torch import nn


class Squash(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, temperature):
        x.div_(temperature)  # <- here
        result = torch.sigmoid(x)
        ctx.save_for_backward(result)
        ctx.temperature = temperature
        return result

    @staticmethod
    def backward(ctx, grad_output):
        (result,) = ctx.saved_tensors
        return grad_output * result * (1 - result) / ctx.temperature, None


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x):
        h = self.linear(x)
        return h * Squash.apply(h, 2.0)


torch.manual_seed(0)
block = Block()
x = torch.rand(2, 3)
out = block(x)
out.sum().backward()

h = block.linear(x).detach()
expected = h * torch.sigmoid(h / 2)
print("gradient", block.linear.bias.grad.tolist())
assert torch.allclose(out, expected), "the block computes another value"
