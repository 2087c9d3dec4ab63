# cause: replaced-parameter
# says: the optimizer holds the float32 tensor; .to(float64) made another, which never moves
# follows: own
import torch
from torch import optim

torch.manual_seed(0)


def orbit(state, steps, dt=0.05):
    position, velocity = state[:2], state[2:]
    for _ in range(steps):
        velocity = velocity - dt * position / position.pow(2).sum().pow(1.5)
        position = position + dt * velocity
    return position


initial = torch.tensor([1.0, 0.0, 0.0, 0.8], requires_grad=True)
optimizer = optim.SGD([initial], lr=0.05)
initial = initial.to(torch.float64)  # <- here
wanted = torch.tensor([0.2, 0.9], dtype=torch.float64)

for step in range(12):
    miss = (orbit(initial, steps=20) - wanted).pow(2).sum()
    optimizer.zero_grad()
    miss.backward()
    optimizer.step()
    if step % 4 == 0:
        print(f"{step:2d} {miss.item():.6f}")

print([round(v, 4) for v in initial.tolist()])
