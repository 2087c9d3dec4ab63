# cause: zero-clamp
# says: all predicted logits are above the upper bound of clamp, their gradient is 0
# follows: own
import torch
from torch import nn

torch.manual_seed(0)
policy = nn.Linear(3, 2)
nn.init.constant_(policy.bias, 30.0)
opt = torch.optim.SGD(policy.parameters(), lr=0.1)
x = torch.rand(20, 3)
for _ in range(6):
    log_std = torch.clamp(policy(x), -20, 2)  # <- here
    loss = (log_std.exp() - 1).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
assert any(p.grad.abs().sum() > 0 for p in policy.parameters()), "no learning signal"
