# cause: hidden-write-numpy
# says: All batches share one NumPy buffer; filling it again changes what backward needs.
# follows: from_numpy shares memory with the array: all my samples become the last one
import numpy as np
import torch

rng = np.random.default_rng(0)
table = rng.normal(size=(12, 3))
target = table @ np.array([1.0, -1.0, 2.0])


class Reader:
    """Hands out batches without making a new array each time."""

    def __init__(self, rows, size):
        self.rows = rows
        self.buffer = np.empty((size, rows.shape[1]))

    def __iter__(self):
        size = len(self.buffer)
        for start in range(0, len(self.rows), size):
            self.buffer[:] = self.rows[start : start + size]  # <- here
            yield start, torch.from_numpy(self.buffer)  # <- or here


w = torch.zeros(3, dtype=torch.float64, requires_grad=True)
reader = Reader(table, 4)
for epoch in range(4):
    losses = []
    for start, batch in reader:
        wanted = torch.from_numpy(target[start : start + 4])
        losses.append((batch @ w - wanted).square().sum())
    loss = torch.stack(losses).sum() / len(table)
    w.grad = None
    loss.backward()
    with torch.no_grad():
        w -= 0.2 * w.grad
    print(epoch, "loss", round(loss.item(), 5), "w", [round(v, 4) for v in w.tolist()])
