# healthy: gradient penalty through a custom activation whose second derivative is right
import torch
from torch import nn


class Softplus(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.log1p(torch.exp(x))

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * torch.sigmoid(x)


torch.manual_seed(0)
a, b = nn.Linear(2, 5), nn.Linear(5, 1)
opt = torch.optim.Adam([*a.parameters(), *b.parameters()], lr=0.01)
for _ in range(4):
    x = torch.randn(6, 2, requires_grad=True)
    s = b(Softplus.apply(a(x)))
    (g,) = torch.autograd.grad(s.sum(), x, create_graph=True)
    loss = (g.norm(dim=1) - 1).pow(2).mean() + s.mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())
