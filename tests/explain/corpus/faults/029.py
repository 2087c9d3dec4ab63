# cause: replaced-parameter
# says: w = w - lr * w.grad makes a new tensor under the old name: after it, w.grad is None
# follows: "manual gradient descent: w.grad is None in the second iteration" (question site)
import torch

torch.manual_seed(0)

x = torch.linspace(-1, 1, 30)
y = 4 * x - 1 + 0.1 * torch.randn(30)

w = torch.zeros(1, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
lr = 0.3

for i in range(50):
    mse = torch.mean((w * x + b - y) ** 2)
    mse.backward()
    print(i, mse.item())
    w = w - lr * w.grad  # <- here
    b = b - lr * b.grad  # <- or here

print(w.item(), b.item())
