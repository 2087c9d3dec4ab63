# cause: wrote-saved-value
# says: The best weights are loaded back between the forward pass and its backward.
# follows: own
import copy

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 5), nn.Tanh(), nn.Linear(5, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=5.0)
x = torch.randn(20, 2)
y = (x[:, :1] * x[:, 1:]).tanh()
best, lowest = copy.deepcopy(net.state_dict()), float("inf")

for epoch in range(8):
    loss = (net(x) - y).square().mean()
    if loss.item() < lowest:
        best, lowest = copy.deepcopy(net.state_dict()), loss.item()
    elif loss.item() > 2 * lowest:
        print("epoch", epoch, "went up, back to the best weights")
        net.load_state_dict(best)  # <- here
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("lowest", lowest)
