# cause: not-in-optimizer
# says: log_var gets gradients, but no optimizer was given it, so both task weights stay at 1.
# follows: Learnable weights of a multi-task loss do not change during training
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(1)

shared = nn.Sequential(nn.Linear(4, 10), nn.ReLU())
heads = nn.ModuleDict({"price": nn.Linear(10, 1), "kind": nn.Linear(10, 3)})
log_var = torch.zeros(2, requires_grad=True)  # <- or here

x = torch.randn(24, 4)
price = x.sum(1, keepdim=True) + 3 * torch.randn(24, 1)
kind = x[:, :3].argmax(1)

params = list(shared.parameters()) + list(heads.parameters())
optimizer = torch.optim.SGD(params, lr=0.05)  # <- here


def total_loss():
    h = shared(x)
    losses = torch.stack(
        [F.mse_loss(heads["price"](h), price), F.cross_entropy(heads["kind"](h), kind)]
    )
    return (torch.exp(-log_var) * losses + log_var).sum()


for step in range(8):
    optimizer.zero_grad()
    loss = total_loss()
    loss.backward()
    optimizer.step()
    weights = torch.exp(-log_var).tolist()
    print(step, "loss", round(loss.item(), 3), "weights of the tasks", weights)
