# cause: frozen
# says: requires_grad_(False) on the whole model freezes the new head as well
# follows: own
import torch
from torch import nn

torch.manual_seed(0)


class Tuned(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(6, 10), nn.Tanh())
        self.head = nn.Linear(10, 2)


def freeze(model):
    model.requires_grad_(False)  # <- here


model = Tuned()
freeze(model)
x, y = torch.randn(10, 6), torch.randint(0, 2, (10,))
loss = nn.functional.cross_entropy(model.head(model.trunk(x)), y)
loss.backward()
print(model.head.weight.grad)
