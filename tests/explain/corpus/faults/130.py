# cause: function-dtype
# says: backward makes the gradient float16 for a float32 input: small gradients become 0
# follows: own
import torch
from torch import nn


class FastLinear(torch.autograd.Function):
    """The large product of backward is made in half precision."""

    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight)
        return x @ weight.t()

    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        grad_x = grad_output @ weight
        grad_weight = grad_output.t().half() @ x.half()  # <- here
        return grad_x, grad_weight  # <- or here


class Layer(nn.Module):
    def __init__(self, fan_in, fan_out):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(fan_out, fan_in) / fan_in)

    def forward(self, x):
        return FastLinear.apply(x, self.weight)


torch.manual_seed(0)
model = nn.Sequential(Layer(4, 6), nn.Tanh(), Layer(6, 1))
x = torch.randn(32, 4)
target = x.sum(1, keepdim=True)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01, eps=1e-12)

for _ in range(3):
    loss = 1e-7 * ((model(x) - target) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    norms = [round(p.grad.norm().item(), 12) for p in model.parameters()]
    print(f"loss {loss.item():.6e}", norms)
