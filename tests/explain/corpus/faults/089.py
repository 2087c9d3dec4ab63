# cause: loss-relu-second-derivative
# says: All layers are ReLU, so u_xx is zero everywhere and the equation is never seen.
# follows: PINN with ReLU activation does not learn: second derivative is always zero
import math

import torch
from torch import nn


def make_net(width=16):
    return nn.Sequential(
        nn.Linear(1, width),
        nn.ReLU(),  # <- here
        nn.Linear(width, width),
        nn.ReLU(),
        nn.Linear(width, 1),
    )


def derivative(u, x):
    (d,) = torch.autograd.grad(u.sum(), x, create_graph=True)
    return d


torch.manual_seed(0)
net = make_net()
optimizer = torch.optim.Adam(net.parameters(), lr=5e-3)
ends = torch.tensor([[0.0], [1.0]])
for epoch in range(30):
    x = torch.rand(20, 1, requires_grad=True)
    u = net(x)
    u_xx = derivative(derivative(u, x), x)  # <- or here
    source = math.pi**2 * torch.sin(math.pi * x.detach())
    inside = (u_xx + source).square().mean()
    border = net(ends).square().mean()
    loss = inside + border
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if epoch % 10 == 9:
        print(f"{epoch + 1:3d} inside {inside.item():8.4f} border {border.item():8.4f}")
print("largest u_xx", u_xx.abs().max().item())
