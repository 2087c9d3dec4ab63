# cause: reset-by-zero-grad
# says: the history keeps references to p.grad, which zero_grad(set_to_none=False) sets to zero
# follows: own
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(20, 4)
y = x.sum(1, keepdim=True)
history = []
for i in range(6):
    loss = (net(x) - y).pow(2).mean()
    loss.backward()
    history.append(net.weight.grad)
    opt.step()
    opt.zero_grad(set_to_none=False)  # <- here
norms = [g.norm().item() for g in history]
print("gradient norms", norms)
assert norms[0] > 0
