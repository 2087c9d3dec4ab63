# healthy: DQN: target network copied on purpose with load_state_dict, targets under no_grad
import random
from collections import deque

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
random.seed(0)


def make_q():
    return nn.Sequential(nn.Linear(2, 24), nn.ReLU(), nn.Linear(24, 2))


policy, target = make_q(), make_q()
target.load_state_dict(policy.state_dict())
target.eval()
optimizer = torch.optim.RMSprop(policy.parameters(), lr=1e-3)
memory = deque(maxlen=200)
gamma, eps = 0.9, 0.2


def environment(state, action):
    move = 0.1 if action == 1 else -0.1
    state = (state + torch.tensor([move, 0.0])).clamp(-1, 1)
    return state, float(state[0])


state = torch.zeros(2)
for t in range(120):
    if random.random() < eps:
        action = random.randrange(2)
    else:
        with torch.no_grad():
            action = policy(state).argmax().item()
    following, reward = environment(state, action)
    memory.append((state, action, reward, following))
    state = torch.zeros(2) if t % 20 == 19 else following
    if len(memory) < 16:
        continue
    s, a, r, s2 = zip(*random.sample(memory, 16), strict=True)
    q = policy(torch.stack(s)).gather(1, torch.tensor(a)[:, None]).squeeze(1)
    with torch.no_grad():
        best = target(torch.stack(s2)).max(1).values
    expected = torch.tensor(r) + gamma * best
    loss = F.smooth_l1_loss(q, expected)
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_value_(policy.parameters(), 10)
    optimizer.step()
    if t % 25 == 0:
        target.load_state_dict(policy.state_dict())

print("done", len(memory), bool(torch.isfinite(loss)))
