# healthy: truncated back-propagation in a recurrent cell, the state is detached per chunk
import torch
from torch import nn


class Cell(nn.Module):
    def __init__(self, inputs, units):
        super().__init__()
        self.x2h = nn.Linear(inputs, units)
        self.h2h = nn.Linear(units, units, bias=False)
        self.out = nn.Linear(units, 1)

    def forward(self, chunk, h):
        outputs = []
        for x in chunk:
            h = torch.tanh(self.x2h(x) + self.h2h(h))
            outputs.append(self.out(h))
        return torch.stack(outputs), h


torch.manual_seed(0)
wave = torch.sin(torch.arange(0, 12.1, 0.1))
model = Cell(1, 12)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
history = []
for _ in range(6):
    h = torch.zeros(12)
    total = 0.0
    for start in range(0, 120, 12):
        h = h.detach()
        x = wave[start : start + 12, None]
        y = wave[start + 1 : start + 13, None]
        pred, h = model(x, h)
        loss = nn.functional.mse_loss(pred, y)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        total += loss.item()
    history.append(total)
print("falls", history[-1] < history[0])
