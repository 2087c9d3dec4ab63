"""Two networks play against each other until one of them can draw points of two half moons.

python -m seegrad run examples/train/gan.py
python examples/train/gan.py                          (where PyTorch is installed)
"""

import argparse

import torch
import torch.nn.functional as F
from showing import trained
from sklearn.datasets import make_moons
from torch import nn

NOISE, BATCH = 4, 128


def network(inputs, outputs):
    """Two hidden layers of 64."""
    return nn.Sequential(
        nn.Linear(inputs, 64), nn.LeakyReLU(0.2), nn.Linear(64, 64), nn.LeakyReLU(0.2),
        nn.Linear(64, outputs),
    )  # fmt: skip


def start(seed=0):
    """The forger, the judge, and real points."""
    torch.manual_seed(seed)
    points, _ = make_moons(2000, noise=0.05, random_state=seed)
    return network(NOISE, 2), network(2, 1), torch.from_numpy(points).float()


def training(forger, judge, real):
    """Yields the judge's loss at each step; both networks learn once a step."""
    forging = torch.optim.Adam(forger.parameters(), lr=1e-3, betas=(0.5, 0.99))
    judging = torch.optim.Adam(judge.parameters(), lr=1e-3, betas=(0.5, 0.99))
    true, false = torch.ones(BATCH, 1), torch.zeros(BATCH, 1)
    while True:
        points = real[torch.randint(len(real), (BATCH,))]
        forged = forger(torch.randn(BATCH, NOISE))
        loss = F.binary_cross_entropy_with_logits(judge(points), true)
        loss = loss + F.binary_cross_entropy_with_logits(judge(forged.detach()), false)
        judging.zero_grad()
        loss.backward()
        judging.step()
        fooled = F.binary_cross_entropy_with_logits(judge(forged), true)
        forging.zero_grad()
        fooled.backward()
        forging.step()
        yield loss.item()


def scattered(points, rows=14, columns=50):
    """Points as a picture of characters."""
    counts = torch.zeros(rows, columns)
    for x, y in points.tolist():
        column, row = int((x + 1.5) / 4 * columns), int((1.5 - y) / 2.5 * rows)
        if 0 <= row < rows and 0 <= column < columns:
            counts[row, column] += 1
    return ["".join(" .+#"[min(int(count), 3)] for count in row) for row in counts.tolist()]


def missed(forged, real):
    """How far a real point lies from the nearest forged one, on average."""
    return float(torch.cdist(real, forged).amin(1).mean())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=3000)
    steps = parser.parse_args().steps
    forger, judge, real = start()
    with torch.no_grad():
        first = forger(torch.randn(600, NOISE))
    trained(training(forger, judge, real), steps)
    with torch.no_grad():
        last = forger(torch.randn(600, NOISE))
    print(f"learned   a real point is {missed(last, real):.3f} from the nearest forged one; "
          f"it was {missed(first, real):.3f}")  # fmt: skip
    print("\nreal" + " " * 49 + "forged")
    for left, right in zip(scattered(real[:600]), scattered(last), strict=True):
        print(f"{left}   {right}")


if __name__ == "__main__":
    main()
