# cause: zero-clamp
# says: brightness lies above the upper bound of clamp, where the derivative is 0
# follows: "torch.clamp kills the gradient outside of the range" (issue tracker)
import torch

torch.manual_seed(2)

picture = torch.rand(6, 6)
reference = (0.6 * picture + 0.1).clamp(0, 1)

brightness = torch.tensor(1.8, requires_grad=True)
offset = torch.tensor(0.3, requires_grad=True)


def render():
    gain = brightness.clamp(0.0, 1.5)  # <- here
    return gain * picture + offset


optimizer = torch.optim.SGD([brightness, offset], lr=0.5)
for i in range(100):
    loss = (render() - reference).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if i % 25 == 0:
        print(f"{i:3d} loss {loss.item():.5f} offset {offset.item():.3f}")

print("brightness", round(brightness.item(), 4), "gradient", brightness.grad.item())
assert loss.item() < 1e-3, "did not converge"
