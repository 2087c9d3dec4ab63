# cause: function-shape
# says: The gradient of weight comes back as (in, out), weight is (out, in): transpose it.
# follows: own
import torch
from torch import nn
from torch.autograd import Function


class LinearFunction(Function):
    @staticmethod
    def forward(ctx, x, weight, bias):
        ctx.save_for_backward(x, weight)
        return x.mm(weight.t()) + bias

    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        grad_x = grad_output.mm(weight)
        grad_weight = x.t().mm(grad_output)  # <- here
        grad_bias = grad_output.sum(0)
        return grad_x, grad_weight, grad_bias  # <- or here


class Dense(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(n_out, n_in) / n_in**0.5)
        self.bias = nn.Parameter(torch.zeros(n_out))

    def forward(self, x):
        return LinearFunction.apply(x, self.weight, self.bias)


torch.manual_seed(0)
net = nn.Sequential(Dense(4, 4), nn.Tanh(), Dense(4, 2))
x = torch.randn(10, 4)
y = torch.stack([x.sum(1), x.prod(1)], 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
for epoch in range(3):
    loss = (net(x) - y).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(epoch, loss.item())
