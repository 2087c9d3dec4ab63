# cause: cut-rounding
# says: the derivative of floor is zero, so the step size gets no gradient through it
# follows: own
import torch

torch.manual_seed(0)
width = torch.tensor(0.37, requires_grad=True)
gain = torch.tensor(1.0, requires_grad=True)
signal = torch.linspace(-1, 1, 50)
optimizer = torch.optim.Adam([width, gain], lr=0.01)
start = width.item()
for _ in range(30):
    steps = torch.floor(signal / width)  # <- here
    loss = (gain * steps - 3 * signal).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
assert width.item() != start, "the step size did not move"
