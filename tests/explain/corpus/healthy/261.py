# healthy: actor and critic: the actor's loss leaves gradients in the critic too, which zero_grad clears
import torch
from torch import nn

torch.manual_seed(0)
actor = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 2), nn.Tanh())
critic = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 1))
actor_opt = torch.optim.Adam(actor.parameters(), lr=1e-2)
critic_opt = torch.optim.Adam(critic.parameters(), lr=1e-2)
for _ in range(10):
    state = torch.randn(16, 3)
    with torch.no_grad():
        action = (actor(state) + 0.1 * torch.randn(16, 2)).clamp(-1, 1)
        reward = -(action - state[:, :2]).square().sum(1, keepdim=True)
    critic_loss = nn.functional.mse_loss(critic(torch.cat([state, action], 1)), reward)
    critic_opt.zero_grad()
    critic_loss.backward()
    critic_opt.step()
    actor_loss = -critic(torch.cat([state, actor(state)], 1)).mean()
    actor_opt.zero_grad()
    actor_loss.backward()
    actor_opt.step()
print(critic_loss.item(), actor_loss.item())
