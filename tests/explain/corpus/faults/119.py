# cause: step-too-long
# says: the update is far too long for a cubic on [-5, 5]: the coefficients grew to inf and NaN
# follows: own
import torch


def cubic(c, x):
    return c[0] + c[1] * x + c[2] * x**2 + c[3] * x**3


def descend(objective, start, rate, steps):
    point = start.clone().requires_grad_(True)
    for _ in range(steps):
        value = objective(point)
        value.backward()
        with torch.no_grad():
            point -= rate * point.grad  # <- here
        point.grad = None
    return point.detach(), value.item()


x = torch.linspace(-5, 5, 41)
y = 0.5 * x**3 - 2 * x + 1
found, value = descend(
    lambda c: ((cubic(c, x) - y) ** 2).mean(),
    start=torch.tensor([0.1, -0.2, 0.3, 0.05]),
    rate=0.02,  # <- or here
    steps=60,
)
print("coefficients", found.tolist())
assert value < 1.0, f"did not fit: {value}"
