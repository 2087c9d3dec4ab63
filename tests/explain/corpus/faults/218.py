# cause: replaced-parameter
# says: the list comprehension makes new tensors: they are results, not the leaves with gradients
# follows: "p.grad is None after params = [p - lr * p.grad for p in params]" (question site)
import torch

torch.manual_seed(0)
params = [torch.randn(4, 1, requires_grad=True), torch.zeros(1, requires_grad=True)]
x = torch.randn(20, 4)
y = x.mean(dim=1, keepdim=True)
for step in range(5):
    out = x @ params[0] + params[1]
    loss = torch.nn.functional.mse_loss(out, y)
    loss.backward()
    params = [p - 0.1 * p.grad for p in params]  # <- here
    print(step, loss.item())
