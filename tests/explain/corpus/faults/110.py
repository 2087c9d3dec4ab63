# cause: inf-backward
# says: a black pixel is 0, and the slope of x ** 0.45 at 0 is infinite
# follows: own
import torch

GAMMA = 0.45


def encode(linear):
    return linear**GAMMA  # <- here


def tint(image, gains):
    return image * gains.view(3, 1, 1)


torch.manual_seed(3)
photo = torch.rand(3, 4, 4)
photo[:, 0, 0] = 0.0
photo.requires_grad_(True)
reference = torch.rand(3, 4, 4)

shown = encode(tint(photo, torch.tensor([1.1, 1.0, 0.9])))
loss = (shown - reference).abs().mean()
loss.backward()

largest = photo.grad.abs().max().item()
print(f"loss {loss.item():.3f}, largest gradient {largest}")
assert largest < 1e4, "saliency map cannot be drawn"
