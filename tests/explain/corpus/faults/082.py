# cause: hidden-write-hook
# says: The hook of attend clamps the gradient in place; the residual path shares it.
# follows: backward hook with in-place clamp changes the gradients of other layers too
import torch
import torch.nn.functional as F
from torch import nn


class Layer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.enter = nn.Linear(width, width)
        self.project = nn.Linear(width, width)
        self.attend = nn.Linear(width, width)

    def forward(self, x):
        h = torch.tanh(self.enter(x))
        base = self.project(h)
        return base + self.attend(h)


def limit(module, grad_output):
    for g in grad_output:
        g.clamp_(-0.01, 0.01)  # <- here


def train(limited):
    torch.manual_seed(1)
    layer = Layer(4)
    if limited:
        layer.attend.register_full_backward_pre_hook(limit)  # <- or here
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.3)
    x = torch.randn(16, 4)
    y = x.flip(1) * 3
    for _ in range(12):
        optimizer.zero_grad()
        loss = F.mse_loss(layer(x), y)
        loss.backward()
        optimizer.step()
    return loss.item(), layer.project.weight.grad.abs().max().item()


for limited in (False, True):
    loss, largest = train(limited)
    print(f"limit on attend: {limited}  loss {loss:.4f}  largest in project {largest:.4f}")
