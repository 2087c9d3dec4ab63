# cause: function-missing-gradient
# says: scale is a trainable input of the Function, but backward returns None for it
# follows: "Parameter used in custom autograd function has grad None"
import torch
from torch import nn, optim


class ScaleShift(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x, scale)
        return x * scale + shift

    @staticmethod
    def backward(ctx, grad):
        x, scale = ctx.saved_tensors
        return grad * scale, None, grad.sum(0)  # <- here


class Affine(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(n))
        self.shift = nn.Parameter(torch.zeros(n))

    def forward(self, x):
        return ScaleShift.apply(x, self.scale, self.shift)


torch.manual_seed(0)
x = torch.randn(16, 3)
y = 2 * x + 1
model = Affine(3)
opt = optim.SGD(model.parameters(), lr=0.3)
for _ in range(20):
    opt.zero_grad()
    loss = (model(x) - y).square().mean()
    loss.backward()
    opt.step()
print("loss", round(loss.item(), 4))
for name, p in model.named_parameters():
    print(name, [round(v, 2) for v in p.tolist()])
    assert p.grad is not None, name
