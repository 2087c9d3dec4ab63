# cause: cancellation
# says: the variance as a difference of two nearly equal large numbers has no right digit left
# follows: own
import torch


def moments(samples):
    n = samples.numel()
    total = samples.sum()
    squares = (samples**2).sum()
    mean = total / n
    variance = squares / n - mean**2  # <- here
    return mean, variance


timestamps = torch.tensor([20000.01, 20000.03, 20000.05, 20000.02, 20000.04, 20000.03])
delay = torch.zeros(6, requires_grad=True)

mean, jitter = moments(timestamps + delay)
reference = timestamps.double().var(correction=0)
(slope,) = torch.autograd.grad(jitter, delay)
print("mean", round(mean.item(), 1))
print("slopes", slope.shape)
ratio = jitter.item() / reference.item()
assert abs(ratio - 1) < 0.1, f"ratio {ratio}"
