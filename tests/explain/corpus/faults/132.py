# cause: function-needless-gradient
# says: alpha is a plain number, so backward must return None for it, not a gradient
# follows: "function returned a gradient different from None, but the input was not a Variable"
import torch
from torch import nn


class ScaledTanh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, alpha):
        out = torch.tanh(alpha * x)
        ctx.save_for_backward(x, out)
        ctx.alpha = alpha
        return out

    @staticmethod
    def backward(ctx, grad_out):
        x, out = ctx.saved_tensors
        slope = grad_out * (1 - out * out)
        return slope * ctx.alpha, (slope * x).sum()  # <- here


class Encoder(nn.Module):
    def __init__(self, alpha):
        super().__init__()
        self.alpha = alpha
        self.down = nn.Linear(5, 2)
        self.up = nn.Linear(2, 5)

    def forward(self, x):
        code = ScaledTanh.apply(self.down(x), self.alpha)
        return self.up(code)


torch.manual_seed(0)
x = torch.rand(8, 5)
model = Encoder(alpha=1.7)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for _ in range(3):
    loss = nn.functional.mse_loss(model(x), x)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("loss", loss.item())
