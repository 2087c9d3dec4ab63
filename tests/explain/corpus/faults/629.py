# cause: gradcheck-float32
# says: the inputs are cast to float32 inside the function, too coarse for gradcheck
# follows: own
import torch


def f(x, w):
    return torch.tanh(x.float() @ w.float()).double()  # <- here


torch.manual_seed(0)
x = torch.randn(3, 4, dtype=torch.double, requires_grad=True)
w = torch.randn(4, 2, dtype=torch.double, requires_grad=True)
assert torch.autograd.gradcheck(f, (x, w), atol=1e-6)  # <- or here
