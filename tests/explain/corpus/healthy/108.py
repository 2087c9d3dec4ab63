# healthy: the weight of the KL term grows from 0, as in many VAEs
import torch
from torch import nn

torch.manual_seed(0)
encoder, decoder = nn.Linear(6, 4), nn.Linear(2, 6)
prior_scale = nn.Parameter(torch.zeros(2))
params = [*encoder.parameters(), *decoder.parameters(), prior_scale]
optimizer = torch.optim.Adam(params, lr=0.01)
x = torch.randn(32, 6)
for epoch in range(12):
    beta = max(0, epoch - 3) / 10
    mean, log_var = encoder(x).chunk(2, dim=1)
    z = mean + torch.randn_like(mean) * torch.exp(0.5 * log_var)
    kl = 0.5 * (mean.pow(2) + log_var.exp() - log_var - 1 + prior_scale.pow(2)).sum(1).mean()
    loss = nn.functional.mse_loss(decoder(z), x) + beta * kl
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(round(loss.item(), 1) < 10)
