# healthy: truncated back-propagation with a window: the last states are kept for later passes
import torch
from torch import nn

torch.manual_seed(1)
cell = nn.Linear(5, 4)
head = nn.Linear(4, 1)
params = [*cell.parameters(), *head.parameters()]
wave = torch.sin(torch.arange(0, 8, 0.25))
window = 4

states = [(None, torch.zeros(1, 4))]
losses = []
for t in range(len(wave) - 1):
    before = states[-1][1].detach().requires_grad_()
    x = wave[t].reshape(1, 1)
    states.append((before, torch.tanh(cell(torch.cat([x, before], 1)))))
    del states[:-window]
    loss = (head(states[-1][1]) - wave[t + 1]).pow(2).sum()
    loss.backward(retain_graph=True)
    for later, earlier in zip(states[::-1], states[-2::-1], strict=False):
        if earlier[0] is None:
            break
        earlier[1].backward(later[0].grad, retain_graph=True)
    losses.append(loss.item())
    if t % 8 == 7:
        with torch.no_grad():
            for p in params:
                p -= 0.01 * p.grad
                p.grad = None
        states = [(None, states[-1][1].detach())]
print(len(losses), all(l == l for l in losses))
