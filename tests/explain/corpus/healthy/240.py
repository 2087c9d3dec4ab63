# healthy: stop-gradient and straight-through used well, checked against values by hand
import torch

torch.manual_seed(0)


def log_sum_exp(x):
    top = x.max().detach()
    return top + (x - top).exp().sum().log()


def quantise(x):
    return x + (x.round() - x).detach()


x = torch.randn(6, dtype=torch.double, requires_grad=True)
assert torch.autograd.gradcheck(log_sum_exp, (x,))
log_sum_exp(x).backward()
print("softmax", x.grad, "expected", torch.softmax(x.detach(), 0))

y = torch.randn(4, requires_grad=True)
weights = torch.arange(4.0)
(quantise(y) * weights).sum().backward()
print("straight-through", y.grad, "numeric slope of round", torch.zeros(4))
assert torch.equal(y.grad, weights)

w = torch.randn(3, requires_grad=True)
(w * w.detach()).sum().backward()
print("one factor held fixed", w.grad, "both", 2 * w.detach())
