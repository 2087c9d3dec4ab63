# cause: leaf-in-place
# says: The update writes in place into a weight that requires grad; do it inside torch.no_grad().
# follows: a leaf Variable that requires grad is used in an in-place operation (by hand)
import torch


def model(x, weights, bias):
    return x @ weights + bias


def descend(parameters, lr):
    for p in parameters:
        p -= lr * p.grad  # <- here
        p.grad.zero_()


torch.manual_seed(0)
inputs = torch.tensor([[73.0, 67.0], [91.0, 88.0], [87.0, 134.0], [102.0, 43.0]]) / 100
targets = torch.tensor([[0.56], [0.81], [1.19], [0.22]])
w = torch.randn(2, 1, requires_grad=True)
b = torch.randn(1, requires_grad=True)
for _ in range(10):
    loss = (model(inputs, w, b) - targets).pow(2).mean()
    loss.backward()
    descend([w, b], lr=0.1)
print("loss", loss.item())
