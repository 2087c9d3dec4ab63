# healthy: .data for the initialisation, for clipping after the step and for a moving average
import torch
from torch import nn

torch.manual_seed(0)
critic = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 1))
for p in critic.parameters():
    p.data.uniform_(-0.05, 0.05)
average = [p.data.clone() for p in critic.parameters()]
optimizer = torch.optim.RMSprop(critic.parameters(), lr=5e-3)
real, fake = torch.randn(64, 2) + 1, torch.randn(64, 2)
for step in range(40):
    loss = critic(fake).mean() - critic(real).mean()
    optimizer.zero_grad()
    loss.backward()
    for p in critic.parameters():
        p.grad.data.clamp_(-1, 1)
    optimizer.step()
    for p, slow in zip(critic.parameters(), average, strict=True):
        p.data.clamp_(-0.1, 0.1)
        slow.mul_(0.9).add_(p.data, alpha=0.1)
with torch.no_grad():
    gap = (critic(real).mean() - critic(fake).mean()).item()
print("the critic tells them apart:", gap > 0)
