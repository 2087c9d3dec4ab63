"""Weights of two levels and activations of eight, trained through straight-through estimators.

Rounding has the derivative zero almost everywhere; the estimators hand the gradient on as if it
were not there (Bengio, Leonard and Courville, 2013).

    python -m seegrad run examples/train/quantised.py
    python examples/train/quantised.py                    (where PyTorch is installed)
"""

import argparse

import torch
import torch.nn.functional as F
from showing import beside, pixels, trained
from sklearn.datasets import load_digits
from torch import nn


class Sign(torch.autograd.Function):
    """The sign; its gradient passes where the input is not far from zero."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.where(x >= 0, 1.0, -1.0)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * (x.abs() <= 1)


class Quantize(torch.autograd.Function):
    """Rounds to a number of levels; the gradient passes."""

    @staticmethod
    def forward(ctx, x, levels):
        return torch.round(x * levels) / levels

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output, None


class BinaryLinear(nn.Linear):
    """A linear layer that computes with the signs of its weights, times one scale a row."""

    def forward(self, x):
        scale = self.weight.abs().mean(1, keepdim=True).detach()
        return F.linear(x, Sign.apply(self.weight) * scale, self.bias)


class Quantised(nn.Module):
    """64 pixels in, ten scores out."""

    def __init__(self):
        super().__init__()
        self.first, self.second = BinaryLinear(64, 128), BinaryLinear(128, 10)

    def forward(self, pictures):
        hidden = torch.clamp(self.first(pictures), 0, 1)
        return self.second(Quantize.apply(hidden, 7))


def start(seed=0):
    """The network, and digits to learn from and to be asked about."""
    torch.manual_seed(seed)
    digits = load_digits()
    pictures = torch.from_numpy(digits.data).float() / 8 - 1
    labels = torch.from_numpy(digits.target).long()
    order = torch.randperm(len(labels))
    pictures, labels = pictures[order], labels[order]
    return Quantised(), (pictures[:1437], labels[:1437]), (pictures[1437:], labels[1437:])


def training(model, known, _):
    """Yields the loss of each step."""
    pictures, labels = known
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    while True:
        batch = torch.randint(len(labels), (64,))
        loss = F.cross_entropy(model(pictures[batch]), labels[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            for layer in (model.first, model.second):
                layer.weight.clamp_(-1, 1)
        yield loss.item()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=600)
    steps = parser.parse_args().steps
    model, known, asked = start()
    trained(training(model, known, asked), steps)
    pictures, labels = asked
    with torch.no_grad():
        right = int((model(pictures).argmax(1) == labels).sum())
    bits = sum(layer.weight.numel() for layer in (model.first, model.second))
    print(f"learned   {right} of {len(labels)} unseen digits ({right / len(labels):.1%})")
    print(f"          with weights of one bit: {bits // 8:,} bytes for {4 * bits:,}")
    print("\nthe signs that four of the hidden units look for:")
    signs = [torch.sign(row).reshape(8, 8).tolist() for row in model.first.weight.detach()[:4]]
    beside([pixels(sign, -1.0, 1.0) for sign in signs], "abcd")


if __name__ == "__main__":
    main()
