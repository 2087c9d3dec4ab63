# cause: unused-input
# says: forward never calls self.skip, so its weights are not in the graph that grad walks.
# follows: MAML inner loop: not have been used in the graph. Set allow_unused=True
import torch
import torch.nn.functional as F
from torch import nn


class Learner(nn.Module):
    def __init__(self, residual=False):
        super().__init__()
        self.residual = residual
        self.first = nn.Linear(1, 10)
        self.second = nn.Linear(10, 1)
        self.skip = nn.Linear(1, 1)  # <- or here

    def forward(self, x, weights=None):
        w = weights or dict(self.named_parameters())
        h = torch.tanh(F.linear(x, w["first.weight"], w["first.bias"]))
        y = F.linear(h, w["second.weight"], w["second.bias"])
        if self.residual:
            y = y + F.linear(x, w["skip.weight"], w["skip.bias"])
        return y


def adapt(learner, x, y, lr=0.1):
    values = list(learner.parameters())
    loss = F.mse_loss(learner(x), y)
    grads = torch.autograd.grad(loss, values, create_graph=True)  # <- here
    named = enumerate(learner.named_parameters())
    return {name: value - lr * grads[i] for i, (name, value) in named}


torch.manual_seed(3)
learner = Learner()
meta = torch.optim.Adam(learner.parameters(), lr=1e-2)
for task in range(3):
    phase = torch.rand(1) * 3
    x = torch.rand(10, 1) * 4
    y = torch.sin(x + phase)
    fast = adapt(learner, x[:5], y[:5])
    meta_loss = F.mse_loss(learner(x[5:], fast), y[5:])
    meta.zero_grad()
    meta_loss.backward()
    meta.step()
    print(task, meta_loss.item())
