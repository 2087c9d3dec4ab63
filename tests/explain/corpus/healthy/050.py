# healthy: REINFORCE and an actor-critic: the advantage is detached, actions are samples
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
actor = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 3))
critic = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 1))
opt_actor = torch.optim.Adam(actor.parameters(), lr=0.03)
opt_critic = torch.optim.Adam(critic.parameters(), lr=0.03)
rewards_seen = []

for _ in range(50):
    state = torch.eye(3)[torch.randint(0, 3, (24,))]
    logits = actor(state)
    log_prob = F.log_softmax(logits, dim=-1)
    action = torch.multinomial(log_prob.exp().detach(), 1).squeeze(1)
    reward = (action == state.argmax(1)).float()

    value = critic(state).squeeze(1)
    advantage = reward - value
    chosen = log_prob[torch.arange(24), action]
    entropy = -(log_prob.exp() * log_prob).sum(-1).mean()
    loss_actor = -(chosen * advantage.detach()).mean() - 0.01 * entropy
    loss_critic = advantage.pow(2).mean()

    opt_actor.zero_grad()
    loss_actor.backward()
    opt_actor.step()
    opt_critic.zero_grad()
    loss_critic.backward()
    opt_critic.step()
    rewards_seen.append(reward.mean().item())

print("better than chance:", sum(rewards_seen[-5:]) / 5 > 0.5)
