# cause: cancellation
# says: 1 - cos(x) of a small x has no right digit in float32, and x**2 makes much of it
# follows: own
import torch

torch.manual_seed(0)
x = torch.full((5,), 1e-4, requires_grad=True)
w = torch.tensor(2.0, requires_grad=True)


def ratio(x):
    return (1 - torch.cos(x)) / x**2  # <- here


y = (w * ratio(x)).mean()
y.backward()
print(y.item(), w.grad.item())
assert abs(w.grad.item() - 0.5) < 1e-3
