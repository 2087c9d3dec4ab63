"""What is learned of two half moons is carried over to moons that are turned and have no labels.

A gradient-reversal layer (Ganin and Lempitsky, 2015) hands on what it gets, and turns the gradient
round: the features learn to tell the moons apart and to fool a judge of where a point comes from.

    python -m seegrad run examples/train/domain.py
    python examples/train/domain.py                       (where PyTorch is installed)
"""

import argparse
import math

import torch
import torch.nn.functional as F
from showing import trained
from sklearn.datasets import make_moons
from torch import nn

TURNED = math.radians(30)


class GRL(torch.autograd.Function):
    """The identity, whose gradient is turned round and scaled by alpha."""

    @staticmethod
    def forward(ctx, x, alpha):
        ctx.alpha = alpha
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output.neg() * ctx.alpha, None


class Adapted(nn.Module):
    """Features shared by who tells the moons apart and by a judge of the domain."""

    def __init__(self, width=64):
        super().__init__()
        self.features = nn.Sequential(
            nn.Linear(2, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )
        self.moon = nn.Linear(width, 2)
        self.judge = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))

    def forward(self, points, alpha=0.0):
        features = self.features(points)
        return self.moon(features), self.judge(GRL.apply(features, alpha)).squeeze(1)


def moons(seed, angle):
    """Points of two moons, turned round their middle, and which moon each is of."""
    points, labels = make_moons(600, noise=0.08, random_state=seed)
    centred = torch.from_numpy(points).float() - torch.tensor([0.5, 0.25])
    turn = torch.tensor([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    return centred @ turn, torch.from_numpy(labels).long()


def start(seed=0):
    """The network, labelled source points, target points whose labels are only for the end."""
    torch.manual_seed(seed)
    return Adapted(), moons(0, 0.0), moons(1, TURNED)


def training(model, source, target, strength=1.0, total=1000):
    """Yields the loss of each step; `strength` 0 trains without adaptation."""
    (points, labels), (others, _) = source, target
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    domain = torch.cat([torch.zeros(64), torch.ones(64)])
    step = 0
    while True:
        alpha = strength * (2 / (1 + math.exp(-10 * step / total)) - 1)  # from 0 to strength
        here, there = torch.randint(len(points), (64,)), torch.randint(len(others), (64,))
        scores, judged = model(torch.cat([points[here], others[there]]), alpha)
        loss = F.cross_entropy(scores[:64], labels[here])
        loss = loss + F.binary_cross_entropy_with_logits(judged, domain)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        step += 1
        yield loss.item()


@torch.no_grad()
def accuracy(model, points, labels):
    """The share of points that are told right."""
    return float((model(points)[0].argmax(1) == labels).float().mean())


@torch.no_grad()
def drawn(model, points, labels, rows=14, columns=44):
    """The target's points, o and x, on what the network takes for the one moon (dots)."""
    y, x = torch.meshgrid(
        torch.linspace(1.6, -1.6, rows), torch.linspace(-2, 2, columns), indexing="ij"
    )
    told = model(torch.stack([x, y], 2).flatten(0, 1))[0].argmax(1).reshape(rows, columns)
    canvas = [[" ."[moon] for moon in row] for row in told.tolist()]
    for (across, up), label in zip(points.tolist(), labels.tolist(), strict=True):
        row, column = round((1.6 - up) / 3.2 * (rows - 1)), round((across + 2) / 4 * (columns - 1))
        if 0 <= row < rows and 0 <= column < columns:
            canvas[row][column] = "ox"[label]
    return ["".join(row) for row in canvas]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=1000)
    steps = parser.parse_args().steps
    pictures = []
    for name, strength in (("without the judge", 0.0), ("against the judge", 1.0)):
        model, source, target = start()
        print(f"\n{name}")
        trained(training(model, source, target, strength, steps), steps)
        print(f"learned   {accuracy(model, *source):.1%} of the source, "
              f"{accuracy(model, *target):.1%} of the target")  # fmt: skip
        pictures.append(drawn(model, *target))
    print("\nthe turned moons, o and x, and where x is expected: without the judge, against it")
    for left, right in zip(*pictures, strict=True):
        print(f"  {left}   {right}")


if __name__ == "__main__":
    main()
