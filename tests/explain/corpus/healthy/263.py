# healthy: entropies of a policy are kept for one episode, to be printed, and are in no loss
import torch
from torch import nn
from torch.distributions import Categorical

torch.manual_seed(4)
policy, value = nn.Linear(3, 2), nn.Linear(3, 1)
optimizer = torch.optim.Adam([*policy.parameters(), *value.parameters()], lr=1e-2)
for episode in range(5):
    chosen, values, entropies, rewards = [], [], [], []
    for _ in range(8):
        state = torch.randn(3)
        actions = Categorical(logits=policy(state))
        action = actions.sample()
        chosen.append(actions.log_prob(action))
        values.append(value(state).squeeze())
        entropies.append(actions.entropy())
        rewards.append(float(action == 1))
    returns = torch.tensor(rewards)
    advantage = returns - torch.stack(values)
    loss = -(torch.stack(chosen) * advantage.detach()).sum() + advantage.square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("entropy", torch.stack(entropies).mean().item())
