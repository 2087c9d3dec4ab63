"""A network learns how a pendulum swings, from its equation alone: no solution is shown to it.

The angle obeys  angle'' = -sin(angle) - damping * angle'.  Both derivatives are the network's own,
by time, from autograd; the loss is how badly they obey (Raissi, Perdikaris, Karniadakis, 2019).

    python -m seegrad run examples/train/physics.py
    python examples/train/physics.py                      (where PyTorch is installed)
"""

import argparse

import torch
from scipy.integrate import solve_ivp
from showing import plot, trained
from torch import nn

DAMPING, BEGIN, END = 0.1, 1.5, 7.0


class Angle(nn.Module):
    """Time in, angle out; at time 0 the angle is BEGIN and at rest, whatever the weights."""

    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 1)
        )

    def forward(self, time):
        return BEGIN + time**2 / (1 + time) * self.layers(time / END)


def residual(model, time):
    """What is left of the equation at some times: zero where it is obeyed."""
    angle = model(time)
    (speed,) = torch.autograd.grad(angle.sum(), time, create_graph=True)
    (acceleration,) = torch.autograd.grad(speed.sum(), time, create_graph=True)
    return acceleration + torch.sin(angle) + DAMPING * speed


def start(seed=0):
    """The network and the times at which it is asked."""
    torch.manual_seed(seed)
    torch.set_default_dtype(torch.float64)
    try:
        return Angle(), torch.linspace(0, END, 80).unsqueeze(1).requires_grad_()
    finally:
        torch.set_default_dtype(torch.float32)


def training(model, time):
    """Yields the mean square of the residual at each step."""
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    schedule = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.999)
    while True:
        loss = residual(model, time).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        yield loss.item()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=2500)
    steps = parser.parse_args().steps
    model, time = start()
    trained(training(model, time), steps)
    places = time.detach().flatten().numpy()
    solved = solve_ivp(lambda _, y: [y[1], -DAMPING * y[1] - torch.sin(torch.tensor(y[0])).item()],
                       (0, END), [BEGIN, 0.0], t_eval=places, rtol=1e-9, atol=1e-9)  # fmt: skip
    learned = model(time).detach().flatten()
    worst = float((learned - torch.from_numpy(solved.y[0])).abs().max())
    print(f"learned   the swing to within {worst:.4f} rad of SciPy's solution, everywhere")
    print(f"\nangle over {END:.0f} s: o learned, + solved by SciPy (hidden where they agree)")
    plot({"+": solved.y[0].tolist(), "o": learned.tolist()})


if __name__ == "__main__":
    main()
