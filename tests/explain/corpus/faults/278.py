# cause: unused-input
# says: x is told to require a gradient only after the prediction was made from it.
# follows: saliency map: One of the differentiated Tensors appears not used in the graph
import torch
from torch import nn


def saliency(model, image):
    scores = model(image)
    best = scores.max(dim=1).values.sum()
    image.requires_grad_()  # <- here
    (found,) = torch.autograd.grad(best, image)  # <- or here
    return found.abs().amax(1)


torch.manual_seed(0)
model = nn.Sequential(nn.Conv2d(1, 2, 3), nn.ReLU(), nn.Flatten(), nn.Linear(18, 4))
print(saliency(model, torch.randn(2, 1, 5, 5)).shape)
