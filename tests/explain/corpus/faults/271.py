# cause: wrote-saved-value
# says: ReLU(inplace=True) overwrites the sigmoid's output, which sigmoid saved.
# follows: nn.ReLU(inplace=True) after Sigmoid: one of the variables needed was modified
import torch
from torch import nn


def encoder(sizes):
    layers = []
    for before, after in zip(sizes, sizes[1:], strict=False):
        layers.append(nn.Linear(before, after))
        layers.append(nn.Sigmoid())
        layers.append(nn.ReLU(inplace=True))  # <- here
    return nn.Sequential(*layers)


torch.manual_seed(1)
body, head = encoder([3, 6, 4]), nn.Linear(4, 1)
x, y = torch.randn(10, 3), torch.randn(10, 1)
prediction = head(body(x))  # <- or here
loss = (prediction - y).square().mean()
loss.backward()
print(loss.item())
