# healthy: a NumPy buffer that is filled again after each backward, and one that is only read
import numpy as np
import torch

rng = np.random.default_rng(0)
table = rng.normal(size=(24, 3)).astype(np.float32)
target = table @ np.array([1.0, -2.0, 0.5], dtype=np.float32)
buffer = np.empty((6, 3), dtype=np.float32)
batch = torch.from_numpy(buffer)
w = torch.zeros(3, requires_grad=True)
history = np.zeros(40)
for epoch in range(40):
    for start in range(0, 24, 6):
        buffer[:] = table[start : start + 6]
        error = batch @ w - torch.from_numpy(target[start : start + 6])
        loss = error.square().mean()
        seen = error.detach().numpy()
        history[epoch] += float(np.abs(seen).max())
        w.grad = None
        loss.backward()
        with torch.no_grad():
            w -= 0.1 * w.grad
        seen *= 0
print("error went down:", history[-1] < 0.1 * history[0])
