# healthy: a closure by hand, called several times per step by a line search
import torch

torch.manual_seed(0)
A = torch.randn(20, 4)
b = A @ torch.tensor([1.0, -2.0, 0.5, 3.0])
theta = torch.zeros(4, requires_grad=True)


def closure():
    if theta.grad is not None:
        theta.grad.zero_()
    loss = ((A @ theta - b) ** 2).mean()
    loss.backward()
    return loss


for _ in range(25):
    loss = closure()
    direction = -theta.grad.clone()
    start = theta.detach().clone()
    slope = -(direction @ direction)
    t = 1.0
    while True:
        with torch.no_grad():
            theta.copy_(start + t * direction)
        if closure() <= loss + 0.3 * t * slope or t < 1e-6:
            break
        t *= 0.5

print("loss", f"{closure().item():.4f}")
print("near", torch.allclose(theta.detach(), torch.tensor([1.0, -2.0, 0.5, 3.0]), atol=0.1))
