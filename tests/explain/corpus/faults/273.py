# cause: wrote-saved-value
# says: grad.zero_() clears the gradient that the penalty, computed from it, has saved.
# follows: gradient penalty with create_graph=True, then p.grad.zero_(): modified in place
import torch

torch.manual_seed(0)
w = torch.randn(4, requires_grad=True)
x, y = torch.randn(12, 4), torch.randn(12)


def loss_of(w):
    return (torch.tanh(x @ w) - y).square().mean()


for step in range(3):
    loss = loss_of(w)
    (grad,) = torch.autograd.grad(loss, w, create_graph=True)
    penalty = grad.square().sum()
    total = loss + 0.1 * penalty
    norm = grad.norm().item()
    grad.zero_()  # <- here
    total.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
        w.grad = None
    print(step, norm)
