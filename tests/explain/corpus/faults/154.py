# cause: memory-hidden-state
# says: the hidden state is never detached, so the history grows with every batch
# follows: "RNN training gets slower and slower and memory grows with retain_graph=True" (forum)
import torch
from torch import nn


class Cell(nn.Module):
    def __init__(self, inputs, units):
        super().__init__()
        self.inp = nn.Linear(inputs, units)
        self.rec = nn.Linear(units, units, bias=False)
        self.out = nn.Linear(units, 1)

    def forward(self, chunk, h):
        for x in chunk:
            h = torch.tanh(self.inp(x) + self.rec(h))
        return self.out(h), h


def history_length(fn):
    seen, stack = set(), [fn]
    while stack:
        node = stack.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        stack.extend(parent for parent, _ in node.next_functions)
    return len(seen)


torch.manual_seed(0)
wave = torch.sin(torch.arange(0, 9, 0.1)).reshape(9, 10, 1)
model = Cell(1, 8)
h = torch.zeros(8)
for i in range(8):
    model.zero_grad()
    pred, h = model(wave[i], h)  # <- here
    loss = (pred - wave[i + 1, 0]).pow(2).mean()
    loss.backward(retain_graph=True)  # <- or here
    print(i, f"{loss.item():.4f}", "nodes:", history_length(loss.grad_fn))
