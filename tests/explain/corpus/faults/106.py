# cause: nan-backward
# says: the length of a zero vector is sqrt(0); its slope is inf, and inf * 0 is NaN
# follows: "Euclidean distance of identical points gives nan gradient, torch.sqrt at zero"
import torch
from torch import nn


class Siamese(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3))

    def forward(self, left, right):
        return self.embed(left), self.embed(right)


def distance(a, b):
    squares = ((a - b) ** 2).sum(dim=1)
    return squares.sqrt()  # <- here


def contrastive(d, same, margin=1.0):
    return (same * d + (1 - same) * (margin - d).clamp(min=0)).mean()


torch.manual_seed(2)
left = torch.randn(5, 4)
right = left.clone()
right[1:] += torch.randn(4, 4)
same = torch.tensor([1.0, 0.0, 0.0, 1.0, 0.0])

net = Siamese()
loss = contrastive(distance(*net(left, right)), same)
loss.backward()
print("loss", round(loss.item(), 4))
for name, p in net.named_parameters():
    assert torch.isfinite(p.grad).all(), f"gradient of {name}: {p.grad.flatten()[:3]}"
