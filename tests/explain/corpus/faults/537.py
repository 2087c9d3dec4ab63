# cause: zero-grad-never-called
# says: gradients accumulate: zero_grad is never called
# follows: own
import torch

torch.manual_seed(0)
w = torch.zeros(2, requires_grad=True)
X = torch.randn(30, 2)
Y = X @ torch.tensor([2.0, -1.0])
for it in range(40):
    loss = ((X @ w - Y) ** 2).mean()
    loss.backward()  # <- here
    with torch.no_grad():
        w -= 0.3 * w.grad  # <- or here
    if it % 10 == 0:
        print(it, loss.item())
assert loss < 1e-3
