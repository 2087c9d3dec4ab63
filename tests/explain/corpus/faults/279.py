# cause: non-scalar-backward
# says: The loss has one value for each sample: take its mean before backward.
# follows: grad can be implicitly created only for scalar outputs (squared error by hand)
import torch

torch.manual_seed(0)
slope, offset = torch.zeros(1, requires_grad=True), torch.zeros(1, requires_grad=True)
hours = torch.arange(10) / 10
score = 3 * hours - 1 + 0.1 * torch.randn(10)
for epoch in range(5):
    guess = slope * hours + offset
    loss = (guess - score) ** 2  # <- or here
    loss.backward()  # <- here
    with torch.no_grad():
        for p in (slope, offset):
            p -= 0.1 * p.grad
            p.grad = None
