"""A convolutional network reads handwritten digits, and shows what its first filters look for.

python -m seegrad run examples/train/convolution.py
python examples/train/convolution.py                  (where PyTorch is installed)
"""

import argparse

import torch
import torch.nn.functional as F
from showing import beside, pixels, trained
from sklearn.datasets import load_digits
from torch import nn


class Reader(nn.Module):
    """Pictures of 8 x 8 pixels in, ten scores out."""

    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(1, 16, 3, padding=1)
        self.norm = nn.BatchNorm2d(16)
        self.second = nn.Conv2d(16, 32, 3, padding=1)
        self.scores = nn.Linear(32 * 2 * 2, 10)

    def forward(self, pictures):
        x = F.max_pool2d(torch.relu(self.norm(self.first(pictures))), 2)
        x = F.max_pool2d(torch.relu(self.second(x)), 2)
        return self.scores(x.flatten(1))


def start(seed=0):
    """The network, and digits to learn from and to be asked about."""
    torch.manual_seed(seed)
    digits = load_digits()
    pictures = torch.from_numpy(digits.images).float().unsqueeze(1) / 16
    labels = torch.from_numpy(digits.target).long()
    order = torch.randperm(len(labels))
    pictures, labels = pictures[order], labels[order]
    return Reader(), (pictures[:1437], labels[:1437]), (pictures[1437:], labels[1437:])


def training(model, known, _):
    """Yields the loss of each step, without end: batches of 64, drawn anew each time."""
    pictures, labels = known
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
    while True:
        batch = torch.randint(len(labels), (64,))
        loss = F.cross_entropy(model(pictures[batch]), labels[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        yield loss.item()


def report(model, asked):
    """How many held-out digits were read, and the first filters."""
    pictures, labels = asked
    model.eval()
    with torch.no_grad():
        read = model(pictures).argmax(1)
    right = int((read == labels).sum())
    print(f"learned   {right} of {len(labels)} digits that it had never seen: "
          f"{right / len(labels):.1%}")  # fmt: skip
    print("\nwhat four of the first filters answer to, dark to bright:")
    filters = model.first.weight.detach()[:4, 0]
    beside([pixels(f.tolist(), float(f.min()), float(f.max())) for f in filters], "abcd")
    print("\nand what the first digit looks like to them:")
    with torch.no_grad():
        seen = torch.relu(model.first(pictures[:1]))[0, :4]
    shown = [pixels(s.tolist(), 0.0, max(float(s.max()), 1e-6)) for s in seen]
    beside(shown, [f"{int(labels[0])} by {name}" for name in "abcd"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=400)
    steps = parser.parse_args().steps
    model, known, asked = start()
    print(model)
    trained(training(model, known, asked), steps)
    report(model, asked)


if __name__ == "__main__":
    main()
