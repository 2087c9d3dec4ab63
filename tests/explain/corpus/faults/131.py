# cause: function-summed-axis
# says: the bias gradient is summed over the features (dim 1) instead of the batch (dim 0)
# follows: "Extending PyTorch: my Linear function passes with batch size equal to the features"
import torch
from torch import nn


class LinearFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, input, weight, bias):
        ctx.save_for_backward(input, weight)
        return input.mm(weight.t()) + bias

    @staticmethod
    def backward(ctx, grad_output):
        input, weight = ctx.saved_tensors
        grad_input = grad_output.mm(weight)
        grad_weight = grad_output.t().mm(input)
        grad_bias = grad_output.sum(1)  # <- here
        return grad_input, grad_weight, grad_bias  # <- or here


class Linear(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(outputs, inputs) * 0.3)
        self.bias = nn.Parameter(torch.zeros(outputs))

    def forward(self, x):
        return LinearFunction.apply(x, self.weight, self.bias)


torch.manual_seed(0)
x = torch.randn(4, 2)
labels = torch.tensor([3, 1, 0, 2])
model = nn.Sequential(Linear(2, 4), nn.Tanh(), Linear(4, 4))
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
for step in range(25):
    loss = nn.functional.cross_entropy(model(x), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 8 == 0:
        print(step, round(loss.item(), 3))
