"""Draws a penalty on a gradient: what a gradient made is violet, what cuts a gradient is red.

    python examples/draw_gradient.py docs/gradient.svg

Under `explain.watch()` boxes know their lines, and the picture knows what was cut, and where.
"""

import sys

import seegrad as torch
from seegrad import explain, viz


def main(path):
    torch.manual_seed(0)
    x = torch.randn(8, 3, requires_grad=True)
    weight = torch.randn(3, 1, requires_grad=True)
    scale = torch.ones(1, requires_grad=True)
    with explain.watch():
        score = torch.sin(x @ weight) * scale.detach()
        kept = score * (score > 0)
        (slope,) = torch.autograd.grad(kept.sum(), x, create_graph=True)
        loss = kept.mean() + (slope**2).sum()
    viz.save(path, loss)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "gradient.svg")
