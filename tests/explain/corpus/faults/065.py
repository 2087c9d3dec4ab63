# cause: wrote-saved-value
# says: critic_optimizer.step() changed the critic's weights, which the actor's loss had used.
# follows: Actor-critic works in 1.4, fails in 1.5: is at version 2; expected version 1
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = nn.Linear(4, 8)
        self.two = nn.Linear(8, 1)

    def forward(self, state, action):
        h = F.relu(self.one(torch.cat([state, action], 1)))
        return self.two(h)


class Agent:
    def __init__(self):
        self.actor = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1), nn.Tanh())
        self.critic = Critic()
        self.actor_optimizer = optim.Adam(self.actor.parameters(), lr=1e-3)
        self.critic_optimizer = optim.Adam(self.critic.parameters(), lr=1e-3)

    def update(self, state, action, reward):
        policy_loss = -self.critic(state, self.actor(state)).mean()
        value_loss = F.mse_loss(self.critic(state, action), reward)

        self.critic_optimizer.zero_grad()
        value_loss.backward()
        self.critic_optimizer.step()  # <- here

        self.actor_optimizer.zero_grad()
        policy_loss.backward()
        self.actor_optimizer.step()
        return value_loss.item(), policy_loss.item()


torch.manual_seed(1)
agent = Agent()
for episode in range(3):
    state, action = torch.randn(12, 3), torch.rand(12, 1) * 2 - 1
    reward = -(state[:, :1] - action).abs()
    print(episode, agent.update(state, action, reward))
