# cause: cut-detach
# says: the state is detached at the start of every chunk, the first one too, so h0 never learns
# follows: "learnable initial hidden state has no gradient with truncated BPTT" (forum)
import torch
from torch import nn

torch.manual_seed(0)


class Cell(nn.Module):
    def __init__(self, n_in, n_hidden):
        super().__init__()
        self.i2h = nn.Linear(n_in, n_hidden)
        self.h2h = nn.Linear(n_hidden, n_hidden, bias=False)

    def forward(self, x, h):
        return torch.tanh(self.i2h(x) + self.h2h(h))


cell, readout = Cell(2, 6), nn.Linear(6, 1)
h0 = nn.Parameter(torch.zeros(1, 6))
everything = [*cell.parameters(), *readout.parameters(), h0]
optimizer = torch.optim.Adam(everything, lr=1e-2)

sequence = torch.randn(12, 4, 2)
target = sequence.sum(dim=2, keepdim=True).cumsum(dim=0)

for _ in range(3):
    state = h0.expand(4, 6)
    for xs, ys in zip(sequence.split(4), target.split(4), strict=True):
        state = state.detach()  # <- here
        loss = torch.zeros(())
        for x, y in zip(xs, ys, strict=True):
            state = cell(x, state)
            loss = loss + (readout(state) - y).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

print(h0.tolist())
assert h0.abs().max() > 0
