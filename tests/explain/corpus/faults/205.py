# cause: backward-never-ran
# says: the gradient is read before backward has run on any loss
# follows: own
import torch

torch.manual_seed(0)
x = torch.randn(16, 2)
y = x @ torch.tensor([1.5, -0.5])
weights = torch.zeros(2, requires_grad=True)

for epoch in range(3):
    loss = (x @ weights - y).pow(2).mean()  # <- here
    with torch.no_grad():
        weights -= 0.1 * weights.grad  # <- or here
    weights.grad.zero_()
    print(epoch, loss.item())
