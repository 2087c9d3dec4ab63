# cause: function-first-derivative
# says: swish's derivative lacks the term x * s * (1 - s): backward returns only the sigmoid
# follows: "Custom swish activation trains worse than SiLU, is my backward correct?"
import torch
import torch.nn as nn


class SwishFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        s = torch.sigmoid(x)
        ctx.save_for_backward(x)
        return x * s

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        s = torch.sigmoid(x)
        return grad_output * s  # <- here


class Swish(nn.Module):
    def forward(self, x):
        return SwishFunction.apply(x)


torch.manual_seed(0)
x = torch.linspace(-3, 3, 24).unsqueeze(1)
y = torch.cos(2 * x)

model = nn.Sequential(nn.Linear(1, 10), Swish(), nn.Linear(10, 10), Swish(), nn.Linear(10, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(30):
    loss = nn.functional.mse_loss(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if epoch % 10 == 0:
        print(f"{epoch:3d}  {loss.item():.3f}")
