# cause: hidden-write-data
# says: The weights are moved through .data between two backwards of losses computed before.
# follows: own
import torch

torch.manual_seed(0)
w = torch.randn(3, requires_grad=True)
x = torch.randn(6, 3)
before = w.detach().clone()
fit = (x @ w - 1).square().mean()
size = (w**4).sum()

fit.backward()
w.data.sub_(0.5 * w.grad)  # <- here
w.grad = None
size.backward()
print("gradient of the size", w.grad)
print("by hand", 4 * before**3)
