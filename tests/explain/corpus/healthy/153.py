# healthy: one graph, several backwards with retain_graph=True, and states that are detached
import torch
from torch import nn

torch.manual_seed(0)
enter, carry, out = nn.Linear(1, 8), nn.Linear(8, 8), nn.Linear(8, 1)
parameters = [p for layer in (enter, carry, out) for p in layer.parameters()]
optimizer = torch.optim.Adam(parameters, lr=0.02)
wave = torch.sin(torch.arange(41) * 0.5)
state = torch.zeros(1, 8)
losses = []
for start in range(0, 40, 10):
    state = state.detach()
    total = 0.0
    for t in range(start, start + 10):
        state = torch.tanh(enter(wave[t].view(1, 1)) + carry(state))
        total = total + (out(state) - wave[t + 1]).square().mean()
    optimizer.zero_grad()
    total.backward(retain_graph=True)
    first = [p.grad.clone() for p in parameters]
    optimizer.zero_grad()
    total.backward()
    assert all(torch.equal(p.grad, g) for p, g in zip(parameters, first, strict=True))
    optimizer.step()
    losses.append(total.item())
print("windows:", len(losses))
