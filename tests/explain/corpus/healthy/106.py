# healthy: gradient descent by hand, each new weight is a leaf again
import torch

torch.manual_seed(0)
x = torch.randn(40, 3)
y = x @ torch.tensor([1.0, -2.0, 0.5])
w = torch.zeros(3, requires_grad=True)
for _ in range(50):
    loss = (x @ w - y).pow(2).mean()
    (grad,) = torch.autograd.grad(loss, w)
    w = (w - 0.1 * grad).detach().requires_grad_()
print(loss.item() < 0.1, w.grad)
