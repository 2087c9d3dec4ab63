# cause: hidden-write-numpy
# says: The window is moved on in place while the losses of earlier windows still need it.
# follows: own
import numpy as np
import torch

series = np.sin(np.arange(12) * 0.7).astype(np.float32)
window = np.zeros(4, dtype=np.float32)


def push(value):
    window[:-1] = window[1:]  # <- here
    window[-1] = value  # <- or here


w = torch.full((4,), 0.1, requires_grad=True)
losses = []
for now, following in zip(series, series[1:], strict=False):
    push(now)
    guess = torch.as_tensor(window) @ w
    losses.append((guess - float(following)) ** 2)
sum(losses).backward()
print("gradient", w.grad)
copies = [np.concatenate([np.zeros(4), series])[i + 1 : i + 5] for i in range(11)]
rows = torch.tensor(np.array(copies), dtype=torch.float32)
v = torch.full((4,), 0.1, requires_grad=True)
(rows @ v - torch.tensor(series[1:])).square().sum().backward()
assert torch.allclose(w.grad, v.grad), "two ways to the same gradient"
