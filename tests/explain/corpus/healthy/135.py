# healthy: softplus and sinc by hand with the double where, entropy with xlogy
import torch


def softplus(x):
    small = torch.where(x > 30, torch.zeros_like(x), x)
    return torch.where(x > 30, x, torch.log1p(torch.exp(small)))


def sinc(x):
    safe = torch.where(x == 0, torch.ones_like(x), x)
    return torch.where(x == 0, 1 - x * x / 6, torch.sin(safe) / safe)


x = torch.tensor([-300.0, 0.0, 300.0], requires_grad=True)
(softplus(x) + sinc(x)).sum().backward()
print(x.grad)

p = torch.tensor([0.0, 0.25, 0.75])
print("entropy", -torch.special.xlogy(p, p).sum().item())
scores = torch.randn(3, requires_grad=True)
divergence = torch.nn.functional.kl_div(scores.log_softmax(0), p, reduction="sum")
divergence.backward()
print(torch.isfinite(scores.grad).all().item())
