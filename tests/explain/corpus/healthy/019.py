# healthy: BYOL: online network, slowly moving target network, targets under no_grad
import copy

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(1)
online = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 6))
predictor = nn.Linear(6, 6)
target = copy.deepcopy(online)
target.requires_grad_(False)
optimizer = torch.optim.Adam([*online.parameters(), *predictor.parameters()], lr=3e-3)

for _ in range(40):
    x = torch.randn(24, 5)
    view_a, view_b = x + 0.1 * torch.randn_like(x), x + 0.1 * torch.randn_like(x)
    prediction = F.normalize(predictor(online(view_a)), dim=-1)
    with torch.no_grad():
        goal = F.normalize(target(view_b), dim=-1)
    loss = (2 - 2 * (prediction * goal).sum(-1)).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    tau = 0.98
    for t, o in zip(target.parameters(), online.parameters(), strict=True):
        t.data = tau * t.data + (1 - tau) * o.data

print(f"loss below one: {loss.item() < 1.0}")
