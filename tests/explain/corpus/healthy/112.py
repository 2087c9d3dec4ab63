# healthy: hard gates sampled in the forward pass, learned by their log-probability
import torch
from torch import nn

torch.manual_seed(0)
scores = nn.Parameter(torch.zeros(4))
value = torch.tensor([0.1, 0.9, 0.3, 0.5])
optimizer = torch.optim.Adam([scores], lr=0.1)
baseline = 0.0
for _ in range(60):
    p = scores.softmax(dim=0)
    choice = torch.multinomial(p, 1)
    reward = value[choice].item()
    loss = -(reward - baseline) * torch.log(p[choice]).sum()
    baseline = 0.9 * baseline + 0.1 * reward
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(scores.argmax().item() in (1, 3))
