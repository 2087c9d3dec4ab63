# cause: zero-grad-never-called
# says: gradients of several epochs add up in hand-written SGD with lists
# follows: own
import torch

torch.manual_seed(0)
params = [torch.randn(2, 6, requires_grad=True), torch.randn(6, 1, requires_grad=True)]


def predict(x):
    return torch.tanh(x @ params[0]) @ params[1]


x = torch.randn(30, 2)
y = x[:, :1] * 0.5
for ep in range(30):
    loss = (predict(x) - y).square().mean()
    loss.backward()  # <- here
    for p in params:
        p.data -= 0.1 * p.grad  # <- or here
    if ep % 10 == 9:
        print(ep, loss.item(), params[0].grad.norm().item())
