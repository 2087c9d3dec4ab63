# cause: cut-no-grad
# says: the actor's action comes from sample(), which runs under no_grad; rsample() keeps the path
# follows: DDPG/SAC actor receives no gradient (forum)
from collections import deque
from dataclasses import dataclass
import copy
import random

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Normal


@dataclass
class Config:
    obs: int = 4
    act: int = 2
    hidden: int = 16
    gamma: float = 0.9
    tau: float = 0.05
    steps: int = 12


class Replay:
    def __init__(self, size):
        self.data = deque(maxlen=size)

    def push(self, *item):
        self.data.append(item)

    def batch(self, n):
        rows = random.sample(self.data, n)
        return [torch.stack(c) for c in zip(*rows)]


class Actor(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(cfg.obs, cfg.hidden), nn.Tanh())
        self.mu = nn.Linear(cfg.hidden, cfg.act)
        self.log_std = nn.Linear(cfg.hidden, cfg.act)

    def dist(self, s):
        h = self.body(s)
        return Normal(self.mu(h), self.log_std(h).clamp(-5, 1).exp())

    def forward(self, s):
        action = self.dist(s).sample()  # <- here
        return torch.tanh(action)


class Critic(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(cfg.obs + cfg.act, cfg.hidden), nn.ReLU(), nn.Linear(cfg.hidden, 1)
        )

    def forward(self, s, a):
        return self.net(torch.cat([s, a], dim=-1)).squeeze(-1)


class Agent:
    def __init__(self, cfg):
        self.cfg = cfg
        self.actor, self.critic = Actor(cfg), Critic(cfg)
        self.target = copy.deepcopy(self.critic).requires_grad_(False)
        self.opt_a = torch.optim.Adam(self.actor.parameters(), 1e-2)
        self.opt_c = torch.optim.Adam(self.critic.parameters(), 1e-2)

    def update(self, s, a, r, s2):
        with torch.no_grad():
            y = r + self.cfg.gamma * self.target(s2, self.actor(s2))
        loss_c = F.mse_loss(self.critic(s, a), y)
        self.opt_c.zero_grad()
        loss_c.backward()
        self.opt_c.step()
        loss_a = -self.critic(s, self.actor(s)).mean()
        self.opt_a.zero_grad()
        loss_a.backward()
        self.opt_a.step()
        with torch.no_grad():
            for p, q in zip(self.critic.parameters(), self.target.parameters()):
                q.lerp_(p, self.cfg.tau)
        return loss_c.item(), loss_a.item()


def main():
    torch.manual_seed(0)
    random.seed(0)
    cfg = Config()
    agent, replay = Agent(cfg), Replay(100)
    for _ in range(64):
        s = torch.randn(cfg.obs)
        with torch.no_grad():
            a = agent.actor(s)
        replay.push(s, a, -(a - s[:2]).pow(2).sum(), torch.randn(cfg.obs))
    start = [p.clone() for p in agent.actor.parameters()]
    for _ in range(cfg.steps):
        lc, la = agent.update(*replay.batch(16))
    print(f"critic {lc:.3f} actor {la:.3f}")
    moved = [not torch.equal(p, q) for p, q in zip(agent.actor.parameters(), start)]
    assert any(moved), "policy did not change"


main()
