"""A small transformer reads Python's own manual letter by letter, and then writes some itself.

The text is `pydoc_data.topics`, which comes with Python: what `help("for")` and others show.

    python -m seegrad run examples/train/characters.py
    python examples/train/characters.py                   (where PyTorch is installed)
"""

import argparse
import pydoc_data.topics

import torch
import torch.nn.functional as F
from showing import trained
from torch import nn

CONTEXT, WIDTH, HEADS, LAYERS, BATCH = 48, 64, 4, 2, 16


class Block(nn.Module):
    """Attention to what came before, then a layer for each place by itself."""

    def __init__(self):
        super().__init__()
        self.before_attention, self.before_layer = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.attention = nn.MultiheadAttention(WIDTH, HEADS, batch_first=True)
        self.layer = nn.Sequential(
            nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH)
        )

    def forward(self, x, mask):
        y = self.before_attention(x)
        x = x + self.attention(y, y, y, attn_mask=mask, need_weights=False)[0]
        return x + self.layer(self.before_layer(x))


class Writer(nn.Module):
    """Numbers of letters in, for each place the scores of the letter that follows."""

    def __init__(self, letters):
        super().__init__()
        self.letter, self.place = nn.Embedding(letters, WIDTH), nn.Embedding(CONTEXT, WIDTH)
        self.blocks = nn.ModuleList(Block() for _ in range(LAYERS))
        self.norm, self.scores = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, letters)
        # True: a place may not look there.
        mask = torch.ones(CONTEXT, CONTEXT, dtype=torch.bool).triu(1)
        self.register_buffer("mask", mask, persistent=False)

    def forward(self, letters):
        length = letters.shape[1]
        x = self.letter(letters) + self.place(torch.arange(length))
        for block in self.blocks:
            x = block(x, self.mask[:length, :length])
        return self.scores(self.norm(x))


def start(seed=0):
    """The network, the text as numbers, and the letter of each number."""
    torch.manual_seed(seed)
    topics = pydoc_data.topics.topics
    prose = "\n".join(topics[name] for name in sorted(topics))[:200_000]
    letters = sorted(set(prose))
    number = {letter: i for i, letter in enumerate(letters)}
    text = torch.tensor([number[letter] for letter in prose])
    return Writer(len(letters)), text, letters


def training(model, text, _):
    """Yields the loss of each step: 16 pieces of the text, each letter to be foretold."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.01)
    while True:
        begins = torch.randint(len(text) - CONTEXT - 1, (BATCH, 1))
        pieces = text[begins + torch.arange(CONTEXT + 1)]
        scores = model(pieces[:, :-1])
        loss = F.cross_entropy(scores.flatten(0, 1), pieces[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        yield loss.item()


@torch.no_grad()
def written(model, letters, opening, length):
    """Goes on from an opening, one letter after the other, drawn as the network rates them."""
    model.eval()
    known = {letter: i for i, letter in enumerate(letters)}
    text = [known[letter] for letter in opening]
    for _ in range(length):
        scores = model(torch.tensor([text[-CONTEXT:]]))[0, -1]
        text.append(int(torch.multinomial(F.softmax(scores / 0.7, dim=0), 1)))
    return "".join(letters[i] for i in text)


def bars(model, letters, opening):
    """What the network expects after an opening: the five likeliest letters."""
    known = {letter: i for i, letter in enumerate(letters)}
    with torch.no_grad():
        scores = model(torch.tensor([[known[letter] for letter in opening]]))[0, -1]
    shares, places = F.softmax(scores, dim=0).topk(5)
    for share, place in zip(shares.tolist(), places.tolist(), strict=True):
        print(f"  {letters[place]!r:6} {'█' * round(50 * share)} {share:.0%}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=600)
    steps = parser.parse_args().steps
    model, text, letters = start()
    parameters = sum(p.numel() for p in model.parameters())
    print(f"{parameters:,} parameters, {len(text):,} letters of {len(letters)} kinds")
    losses = trained(training(model, text, letters), steps)
    print(f"learned   a letter is one of {len(letters)}; at the end it hesitates between "
          f"{torch.tensor(losses[-20:]).mean().exp():.1f}")  # fmt: skip
    print("\nafter 'The statem' it expects:")
    bars(model, letters, "The statem")
    print("\nand it writes:\n")
    print(written(model, letters, "The ", 400))


if __name__ == "__main__":
    main()
