# healthy: gradients kept as copies while zero_grad(set_to_none=False) reuses their memory
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(32, 4)
y = x.sum(1, keepdim=True)
history, last = [], None
for step in range(8):
    opt.zero_grad(set_to_none=False)
    loss = nn.functional.mse_loss(net(x), y)
    loss.backward()
    last = net[0].weight.grad
    history.append(last.clone())
    opt.step()
norms = [g.norm().item() for g in history]
print("gradient norms", [round(n, 3) for n in norms])
assert min(norms) > 0
assert torch.equal(last, history[-1])
opt.zero_grad(set_to_none=False)
print("the same memory, now zero:", last.abs().sum().item())
