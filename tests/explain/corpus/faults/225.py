# cause: history-overwritten
# says: state[:] = start writes over what the encoder computed, so its gradient is zero
# follows: own
import torch
from torch import nn

torch.manual_seed(0)
encoder, decoder = nn.Linear(4, 6), nn.Linear(6, 4)
start = torch.zeros(6)
optimizer = torch.optim.SGD([*encoder.parameters(), *decoder.parameters()], lr=0.1)
x = torch.randn(9, 4)
for _ in range(5):
    state = encoder(x)
    state[:] = start  # <- here
    loss = (decoder(torch.tanh(state)) - x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
assert encoder.weight.grad.abs().sum() > 0, "encoder does not learn"
