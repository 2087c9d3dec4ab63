# cause: unused-input
# says: w is divided by its norm only after the loss was computed with the old one.
# follows: own
import torch

torch.manual_seed(0)
x = torch.randn(8, 3)
y = torch.randn(8)
w = torch.randn(3, requires_grad=True)
for step in range(3):
    loss = (x @ w - y).abs().mean()
    w = w / w.norm()  # <- here
    (gradient,) = torch.autograd.grad(loss, w)  # <- or here
    w = (w - 0.1 * gradient).detach().requires_grad_()
    print(step, loss.item())
