# healthy: the critic learns at every step while the log-probabilities of the episode are kept
import torch
from torch import nn

torch.manual_seed(0)
actor = nn.Sequential(nn.Linear(3, 12), nn.Tanh(), nn.Linear(12, 2))
critic = nn.Linear(3, 1)
actor_optimizer = torch.optim.Adam(actor.parameters(), lr=0.02)
critic_optimizer = torch.optim.SGD(critic.parameters(), lr=0.05)

returns = []
for episode in range(15):
    log_probs, advantages = [], []
    state = torch.randn(3)
    total = 0.0
    for t in range(10):
        dist = torch.log_softmax(actor(state), 0)
        action = int(torch.multinomial(dist.exp().detach(), 1))
        reward = 1.0 if (state[0] > 0) == bool(action) else 0.0
        value = critic(state).squeeze()
        critic_loss = (value - reward) ** 2
        critic_optimizer.zero_grad()
        critic_loss.backward()
        critic_optimizer.step()
        log_probs.append(dist[action])
        advantages.append(reward - value.item())
        total += reward
        state = torch.randn(3)
    actor_loss = -sum(lp * a for lp, a in zip(log_probs, advantages, strict=True))
    actor_optimizer.zero_grad()
    actor_loss.backward()
    actor_optimizer.step()
    returns.append(total)
print("later episodes are better:", sum(returns[-5:]) >= sum(returns[:5]))
