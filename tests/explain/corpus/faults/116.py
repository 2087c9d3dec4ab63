# cause: cancellation
# says: mean(x^2) - mean(x)^2 cancels in float32 for values near 3000: it came out below zero
# follows: "Variance computed as E[x^2] - E[x]^2 is negative, then sqrt gives nan"
import torch
from torch import nn


class Whiten(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(features))

    def forward(self, x):
        mean = x.mean(dim=0)
        variance = (x * x).mean(dim=0) - mean * mean  # <- here
        return self.gain * (x - mean) / torch.sqrt(variance)


torch.manual_seed(0)
pressure = torch.tensor([[3000.1, 1.0], [3000.5, 4.0], [3000.4, 2.0], [3000.9, 3.0]])
growth = torch.tensor([[0.1], [0.5], [0.3], [0.9]])

model = nn.Sequential(Whiten(2), nn.Linear(2, 1))
loss = nn.functional.mse_loss(model(pressure), growth)
loss.backward()
print("loss:", loss.item())
print("gain gradient:", model[0].gain.grad.tolist())
