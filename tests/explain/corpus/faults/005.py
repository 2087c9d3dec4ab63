# cause: requires-grad-never-set
# says: no tensor in the computation requires grad: theta was made without requires_grad=True
# follows: "element 0 of tensors does not require grad and does not have a grad_fn" (question site)
import torch


def rosenbrock(p):
    x, y = p
    return (1 - x) ** 2 + 100 * (y - x**2) ** 2


theta = torch.tensor([-1.0, 1.5])  # <- here
path = [theta.tolist()]

for _ in range(20):
    value = rosenbrock(theta)
    value.backward()
    with torch.no_grad():
        theta -= 1e-3 * theta.grad
        theta.grad.zero_()
    path.append(theta.tolist())

print(path[-1])
