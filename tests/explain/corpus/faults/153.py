# cause: memory-create-graph
# says: create_graph=True gives each .grad a graph that holds its parameter: a cycle, never freed
# follows: "Memory leak when using loss.backward(create_graph=True)" (forum and tracker)
import warnings
import weakref

import torch
from torch import nn

warnings.simplefilter("ignore")


def trial(width, x, target):
    """Curvature along the gradient of a fresh network."""
    net = nn.Sequential(nn.Linear(6, width), nn.Tanh(), nn.Linear(width, 1))
    loss = (net(x) - target).pow(2).mean()
    loss.backward(create_graph=True)  # <- here
    norm = sum(p.grad.pow(2).sum() for p in net.parameters())
    along = torch.autograd.grad(norm, list(net.parameters()), retain_graph=True)
    curvature = sum((a * p.grad).sum() for a, p in zip(along, net.parameters(), strict=True))
    return curvature.item(), weakref.ref(net[0].weight)


torch.manual_seed(3)
x = torch.randn(32, 6)
target = torch.sin(x).sum(1, keepdim=True)
weights = []
for width in (4, 8, 16, 32):
    curvature, ref = trial(width, x, target)
    weights.append(ref)
    print(f"width {width:2d} curvature {curvature:.4f}")

alive = sum(ref() is not None for ref in weights)
assert alive == 0, f"{alive} of {len(weights)} networks are still in memory"
