# cause: cancellation
# says: 1 - cos(x) has no digit left in float32 for such small x, so the loss is 0
# follows: own
import torch

torch.manual_seed(0)
angle = torch.tensor([1e-4, 2e-4, -1.5e-4], requires_grad=True)


def energy(a):
    return (1 - torch.cos(a)).sum()  # <- here


e = energy(angle)
e.backward()
right = (2 * torch.sin(angle.detach().double() / 2) ** 2).sum()
print("energy", e.item(), "right", right.item())
assert abs(e.item() - right.item()) < 0.1 * right.item()
