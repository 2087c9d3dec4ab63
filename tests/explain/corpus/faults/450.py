# cause: replaced-parameter
# says: the pruned weight is a new Parameter, made after the optimizer, which steps the old one
# follows: own
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 1))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
x = torch.randn(40, 6)
y = x[:, :1] * 2


def fit(n):
    for _ in range(n):
        loss = nn.functional.mse_loss(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()


print("dense", fit(10))
with torch.no_grad():
    w = net[0].weight
    small = w.abs() < w.abs().quantile(0.5)
    net[0].weight = nn.Parameter(w.masked_fill(small, 0.0))  # <- here
after = net[0].weight.detach().clone()
print("pruned", fit(20))
assert not torch.equal(after, net[0].weight)
