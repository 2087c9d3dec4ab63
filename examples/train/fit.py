"""LBFGS fits a curve to measurements: two overlapping peaks on a slope, seven numbers to find.

python -m seegrad run examples/train/fit.py
python examples/train/fit.py                          (where PyTorch is installed)
"""

import argparse

import torch
from showing import plot, trained

TRUE = [1.0, -1.2, 0.6, 0.7, 1.1, 0.5, 0.1]
NAMES = ["height 1", "place 1", "width 1", "height 2", "place 2", "width 2", "slope"]


def model(numbers, x):
    """Two Gaussian peaks on a straight line."""
    height, place, width, other_height, other_place, other_width, slope = numbers
    first = height * torch.exp(-(((x - place) / width) ** 2))
    second = other_height * torch.exp(-(((x - other_place) / other_width) ** 2))
    return first + second + slope * x


def start(seed=0):
    """A first guess, and measurements with noise."""
    torch.manual_seed(seed)
    x = torch.linspace(-4, 4, 200, dtype=torch.float64)
    y = model(torch.tensor(TRUE, dtype=torch.float64), x)
    y = y + 0.03 * torch.randn(200, dtype=torch.float64)
    guess = torch.tensor([0.5, -0.5, 1.0, 0.5, 0.5, 1.0, 0.0], dtype=torch.float64)
    return guess.requires_grad_(), x, y


def training(numbers, x, y):
    """Yields the loss at each step; a step of LBFGS tries several points along its line."""
    optimizer = torch.optim.LBFGS([numbers], max_iter=4, line_search_fn="strong_wolfe")

    def closure():
        optimizer.zero_grad()
        loss = (model(numbers, x) - y).square().mean()
        loss.backward()
        return loss

    while True:
        yield optimizer.step(closure).item()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=15)
    steps = parser.parse_args().steps
    numbers, x, y = start()
    before = model(numbers, x).tolist()
    trained(training(numbers, x, y), steps)
    print("learned")
    for name, found, true in zip(NAMES, numbers.tolist(), TRUE, strict=True):
        print(f"  {name:9} {found:7.3f}   (true {true:5.2f})")
    print("\n. measured, - first guess, o fitted")
    plot({".": y.tolist(), "-": before, "o": model(numbers, x).tolist()})


if __name__ == "__main__":
    main()
