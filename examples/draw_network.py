"""Draws a network of six equal blocks: modules as boxes, what is repeated once.

    python examples/draw_network.py docs/network.svg

`.png`, `.dot`, `.mmd` (Mermaid) and `.json` are written as well.
"""

import sys

import seegrad as torch
from seegrad import viz
from seegrad.nn import functional


class Block(torch.nn.Module):
    """A layer beside the way that its input takes."""

    def __init__(self, width):
        super().__init__()
        self.norm = torch.nn.LayerNorm(width)
        self.up = torch.nn.Linear(width, 2 * width, bias=False)
        self.down = torch.nn.Linear(2 * width, width, bias=False)

    def forward(self, x):
        return x + self.down(functional.gelu(self.up(self.norm(x))))


class Network(torch.nn.Module):
    """Words in, a score for each word out."""

    def __init__(self):
        super().__init__()
        self.words = torch.nn.Embedding(50, 8)
        self.block = torch.nn.Sequential(*[Block(8) for _ in range(6)])
        self.scores = torch.nn.Linear(8, 50, bias=False)

    def forward(self, words):
        return self.scores(self.block(self.words(words)))


def main(path):
    torch.manual_seed(0)
    network = Network()
    with viz.modules(network):
        scores = network(torch.tensor([3, 14, 15, 9]))
    loss = functional.cross_entropy(scores, torch.tensor([14, 15, 9, 2]))
    viz.save(path, loss)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "network.svg")
