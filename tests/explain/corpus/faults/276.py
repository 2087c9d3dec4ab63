# cause: freed-graph
# says: autograd.grad freed the graph of value, which the loss needs again; keep it there.
# follows: gradient penalty: autograd.grad without create_graph, then backward: second time
import torch
from torch import nn


def slope(value, x):
    (found,) = torch.autograd.grad(value.sum(), x)  # <- here
    return found


torch.manual_seed(3)
critic = nn.Sequential(nn.Linear(2, 8), nn.Softplus(), nn.Linear(8, 1))
optimizer = torch.optim.Adam(critic.parameters(), lr=0.01)
for step in range(2):
    x = torch.randn(16, 2, requires_grad=True)
    value = critic(x)
    penalty = (slope(value, x).norm(dim=1) - 1).square().mean()
    loss = value.mean() + 10 * penalty
    optimizer.zero_grad()
    loss.backward()  # <- or here
    optimizer.step()
    print(step, loss.item())
