# cause: function-global-state
# says: backward draws a new random mask instead of the one that forward used
# follows: "Custom dropout: gradcheck fails because the mask differs between forward and backward"
import torch


class Dropout(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p):
        ctx.p = p
        mask = torch.rand(x.shape) >= p
        return x * mask / (1 - p)

    @staticmethod
    def backward(ctx, grad_output):
        mask = torch.rand(grad_output.shape) >= ctx.p  # <- here
        return grad_output * mask / (1 - ctx.p), None


class Regressor(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = torch.nn.Parameter(torch.ones(12))

    def forward(self):
        return Dropout.apply(self.embedding, 0.5)


torch.manual_seed(0)
model = Regressor()
kept = model()
kept.sum().backward()
used = kept.detach() != 0
moved = model.embedding.grad != 0
print("kept in forward", int(used.sum()), "of", used.numel())
assert torch.equal(used, moved), "units that were dropped received a gradient"
