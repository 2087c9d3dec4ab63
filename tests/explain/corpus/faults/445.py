# cause: cut-detach
# says: the norm is detached, so the gradient of the normalisation lacks its part
# follows: own
import torch


def unit(v):
    n = v.norm(dim=-1, keepdim=True).detach()  # <- here
    return v / n


torch.manual_seed(0)
a = torch.randn(4, 3, dtype=torch.double, requires_grad=True)
t = torch.randn(4, 3, dtype=torch.double)
loss = (unit(a) * t).sum()
loss.backward()

eps = 1e-6
num = torch.zeros_like(a)
with torch.no_grad():
    for i in range(4):
        for j in range(3):
            d = torch.zeros_like(a)
            d[i, j] = eps
            num[i, j] = ((unit(a + d) * t).sum() - (unit(a - d) * t).sum()) / (2 * eps)
print("autograd", a.grad[0].tolist())
print("numeric ", num[0].tolist())
assert torch.allclose(a.grad, num, atol=1e-5), "gradient does not agree"
