# healthy: a report of all parameters says which are frozen and which have no gradient yet
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 2), nn.Linear(2, 2))
model[0].requires_grad_(False)


def report(model):
    for name, p in model.named_parameters():
        if not p.requires_grad:
            print(f"{name:10} frozen")
        elif p.grad is None:
            print(f"{name:10} no gradient yet")
        else:
            print(f"{name:10} {p.grad.shape}")


report(model)
model(torch.randn(3, 4)).sum().backward()
report(model)
model.zero_grad()
report(model)
