# healthy: plain rounding against the straight-through estimator: the first has gradient 0
import torch

torch.manual_seed(0)
x = torch.randn(5, requires_grad=True)
x.round().sum().backward()
print("plain", x.grad.tolist())
x.grad = None
(x + (x.round() - x).detach()).sum().backward()
print("straight-through", x.grad.tolist())
