"""Distances between points, two of which are the same."""

import torch

points = torch.tensor([[0.0, 0.0], [3.0, 4.0], [3.0, 4.0]], requires_grad=True)
offsets = points[:, None] - points[None, :]
lengths = (offsets**2).sum(-1).sqrt()
lengths.sum().backward()
print("gradient:", points.grad.tolist())
