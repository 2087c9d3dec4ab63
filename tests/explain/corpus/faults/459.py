# cause: cancellation
# says: E[x^2] - E[x]^2 cancels for a large mean, the variance and its root are noise
# follows: own
import torch

torch.manual_seed(0)
frequency = 4400.0 + 0.01 * torch.randn(64)
drift = torch.zeros(64, requires_grad=True)
signal = frequency + drift
m1 = signal.mean()
m2 = (signal * signal).mean()
var = m2 - m1 * m1  # <- here
print("variance", var.item())
jitter = torch.sqrt(var)  # <- or here
jitter.backward()
print("jitter", jitter.item(), "true about 0.01")
print("gradient", drift.grad[:3])
