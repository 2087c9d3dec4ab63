# healthy: actions are drawn with sample(); the score function carries the gradient
import torch
from torch import nn
from torch.distributions import Normal

torch.manual_seed(3)


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = nn.Linear(2, 1)
        self.log_std = nn.Parameter(torch.zeros(1))

    def forward(self, state):
        return Normal(self.mean(state), self.log_std.exp())


policy = Policy()
value = nn.Linear(2, 1)
opt = torch.optim.Adam([*policy.parameters(), *value.parameters()], lr=0.05)
for _ in range(20):
    state = torch.randn(64, 2)
    dist = policy(state)
    action = dist.sample()
    reward = -(action - state.sum(1, keepdim=True)).pow(2)
    advantage = reward - value(state)
    loss = -(dist.log_prob(action) * advantage.detach()).mean() + advantage.pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(reward.mean().item())
assert policy.log_std.grad is not None
