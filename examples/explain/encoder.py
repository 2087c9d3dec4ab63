"""An autoencoder whose encoder does not learn."""

import torch
from torch import nn

torch.manual_seed(0)
encoder, decoder = nn.Linear(8, 3), nn.Linear(3, 8)
optimizer = torch.optim.SGD([*encoder.parameters(), *decoder.parameters()], lr=0.1)

data = torch.randn(64, 8)
for _ in range(20):
    code = torch.tanh(encoder(data)).detach()
    loss = nn.functional.mse_loss(decoder(code), data)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

print("gradient of the encoder:", encoder.weight.grad)
