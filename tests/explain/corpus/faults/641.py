# cause: zero-clamp
# says: clamped outside: autograd.grad zero
# follows: own
import torch


def newton(f, x, n):
    for _ in range(n):
        y = f(x)
        (g,) = torch.autograd.grad(y, x)
        print(y.item(), g.item())
        x = (x - y / (g + 1e-3)).detach().requires_grad_()
    return x


x = newton(lambda v: v.clamp(0, 1) ** 2 - 0.5, torch.tensor(3.0, requires_grad=True), 1)  # <- here
assert abs(x.item() - 0.7071) < 0.1
