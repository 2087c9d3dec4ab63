# healthy: stages: the second block is trained only after the first one
import torch
from torch import nn

torch.manual_seed(0)
first, second = nn.Linear(3, 8), nn.Linear(8, 1)
readout = nn.Linear(8, 1)
x = torch.randn(50, 3)
y = torch.sin(x.sum(1, keepdim=True))
opt_first = torch.optim.Adam([*first.parameters(), *readout.parameters()], lr=0.02)
opt_second = torch.optim.Adam(second.parameters(), lr=0.02)
for _ in range(30):
    opt_first.zero_grad()
    nn.functional.mse_loss(readout(torch.tanh(first(x))), y).backward()
    opt_first.step()
for _ in range(30):
    hidden = torch.tanh(first(x)).detach()
    loss = nn.functional.mse_loss(second(hidden), y)
    opt_second.zero_grad()
    loss.backward()
    opt_second.step()
print(round(loss.item(), 2) < 1)
