# cause: flow-saturated
# says: weights of deviation 30 drive every tanh to plus or minus one, where its slope is zero
# follows: own
import torch
from torch import nn


def initialise(module):
    if isinstance(module, nn.Linear):
        nn.init.normal_(module.weight, std=30.0)  # <- here
        nn.init.zeros_(module.bias)


torch.manual_seed(1)
net = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 1))
net.apply(initialise)
nn.init.normal_(net[4].weight, std=0.1)

x = torch.randn(32, 3)
y = x.prod(1, keepdim=True)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
start = [p.detach().clone() for p in net.parameters()]
for _ in range(50):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(net(x), y)
    loss.backward()
    optimizer.step()

moved = [(a - b).abs().max().item() for a, b in zip(start, net.parameters(), strict=True)]
print("loss", loss.item())
assert min(moved[0], moved[2]) > 1e-2, "the hidden layers have not moved"
