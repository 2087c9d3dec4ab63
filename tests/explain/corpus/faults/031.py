# cause: copied-not-linked
# says: load_state_dict copies numbers: the adapted copy is not connected with the meta model
# follows: "MAML with load_state_dict: meta parameters have no gradient" (forum)
import torch
from torch import nn, optim

torch.manual_seed(0)


def make_net():
    return nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))


def sample_task():
    amplitude, phase = 1 + torch.rand(1), 3 * torch.rand(1)
    x = 4 * torch.rand(20, 1) - 2
    return x, amplitude * torch.sin(x + phase)


def adapt(meta, x, y, lr=0.1):
    learner = make_net()
    learner.load_state_dict(meta.state_dict())  # <- here
    inner = optim.SGD(learner.parameters(), lr=lr)
    inner.zero_grad()
    nn.functional.mse_loss(learner(x), y).backward()
    inner.step()
    return learner


meta = make_net()
outer = optim.Adam(meta.parameters(), lr=1e-2)

for _ in range(4):
    outer.zero_grad()
    losses = []
    for _ in range(3):
        x, y = sample_task()
        learner = adapt(meta, x[:10], y[:10])
        losses.append(nn.functional.mse_loss(learner(x[10:]), y[10:]))
    torch.stack(losses).mean().backward()
    outer.step()

print("meta gradients:", [p.grad for p in meta.parameters()])
