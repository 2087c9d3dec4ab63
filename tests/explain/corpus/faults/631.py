# cause: loss-broadcast
# says: the reward (N) minus the value (N, 1) broadcasts to (N, N)
# follows: own
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)
V = nn.Linear(3, 1)
opt = torch.optim.Adam(V.parameters(), 0.05)
for _ in range(10):
    s, s2, r = torch.randn(16, 3), torch.randn(16, 3), torch.randn(16)
    with torch.no_grad():
        target = r + 0.9 * V(s2)  # <- here
    loss = F.mse_loss(V(s), target)  # <- or here
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())
