# healthy: only a latent vector is optimised; the generator before it is a means to that end
import torch
from torch import nn

torch.manual_seed(2)
generator = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 6))
wanted = generator(torch.randn(1, 4)).detach()
latent = torch.zeros(1, 4, requires_grad=True)
optimizer = torch.optim.Adam([latent], lr=0.1)
for step in range(30):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(generator(latent), wanted)
    loss.backward()
    optimizer.step()
print(f"distance after {step + 1} steps: {loss.item():.4f}")
