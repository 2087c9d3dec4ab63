# cause: memory-kept-outputs
# says: the replay memory stores the network's values with their graphs; store them detached
# follows: "Replay buffer uses more and more memory in my DQN" (forum)
import random
from collections import deque, namedtuple

import torch
import torch.nn as nn

Transition = namedtuple("Transition", "state action value reward")
random.seed(0)
torch.manual_seed(0)


class Memory:
    def __init__(self, capacity):
        self.store = deque(maxlen=capacity)

    def save(self, *fields):
        self.store.append(Transition(*fields))  # <- here

    def sample(self, n):
        return random.sample(self.store, n)


q_net = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.Adam(q_net.parameters(), lr=0.01)
memory = Memory(200)
state = torch.zeros(3)
for step in range(40):
    values = q_net(state)
    action = int(values.argmax()) if random.random() > 0.2 else random.randrange(2)
    reward = 1.0 if action == step % 2 else 0.0
    memory.save(state, action, values, reward)  # <- or here
    state = torch.tensor([step % 2, 1.0, reward])
    if step >= 8:
        batch = memory.sample(4)
        states = torch.stack([t.state for t in batch])
        actions = torch.tensor([t.action for t in batch])
        target = torch.tensor([t.reward for t in batch])
        chosen = q_net(states).gather(1, actions[:, None]).squeeze(1)
        loss = nn.functional.smooth_l1_loss(chosen, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
print("loss", round(loss.item(), 4))
print("entries with a graph", sum(t.value.requires_grad for t in memory.store))
