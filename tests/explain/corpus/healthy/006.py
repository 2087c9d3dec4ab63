# healthy: linear regression by hand, weights written under no_grad, gradients reset with zero_
import torch

torch.manual_seed(0)
x = torch.linspace(-1, 1, 50)
y = 3 * x + 0.5 + 0.05 * torch.randn(50)

w = torch.zeros(1, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
lr = 0.2

for epoch in range(100):
    prediction = w * x + b
    loss = ((prediction - y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        w -= lr * w.grad
        b -= lr * b.grad
        w.grad.zero_()
        b.grad.zero_()
    if epoch % 25 == 0:
        print(epoch, loss.item())

print(f"w {w.item():.3f} b {b.item():.3f}")
assert abs(w.item() - 3) < 0.1
assert abs(b.item() - 0.5) < 0.1
