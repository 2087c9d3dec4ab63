# cause: freed-graph
# says: The penalty is computed once, before the loop; the first backward freed its graph.
# follows: Second time error in the second epoch: a part was computed outside of the loop
import torch

torch.manual_seed(13)
n, k = 12, 4
features = torch.randn(n, k)
observed = features @ torch.tensor([1.0, 0.0, -1.0, 0.0]) + 0.1 * torch.randn(n)
coef = torch.randn(k, requires_grad=True)
strength = 0.05

ridge = strength * (coef**2).sum()  # <- here


def objective():
    residual = features @ coef - observed
    return residual.square().mean() + ridge


for iteration in range(5):
    coef.grad = None
    value = objective()
    value.backward()  # <- or here
    with torch.no_grad():
        coef -= 0.1 * coef.grad
    print(iteration, f"{value.item():.4f}")
