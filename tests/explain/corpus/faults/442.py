# cause: replaced-parameter
# says: w = w - ... makes a new tensor in place of the leaf (under no_grad without requires_grad)
# follows: Gradient descent by hand: after the first iteration grad is None
import torch

torch.manual_seed(0)
x = torch.randn(30)
y = 3 * x + 2
w = torch.zeros(1, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
for step in range(20):
    loss = ((w * x + b - y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        w = w - 0.1 * w.grad  # <- here
        b = b - 0.1 * b.grad  # <- or here
    print(step, loss.item())
