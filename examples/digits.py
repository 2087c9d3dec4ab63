"""Trains a small network on 1,797 real handwritten digits and shows what it learned.

An ordinary PyTorch script. It runs unmodified on both libraries:

    python -m seegrad run examples/digits.py
    python examples/digits.py                    (where PyTorch is installed)

The images come with scikit-learn: 8 x 8 pixels with 17 shades of grey, written by 43 people.
"""

import argparse
import math
import time

import torch
import torch.nn as nn
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset

SHADES = " .:-=+*#%@"


class DigitNet(nn.Module):
    """64 pixels in, one score for each of the ten digits out."""

    def __init__(self, hidden=96, dropout=0.2):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(64, hidden),
            nn.ReLU(),
            nn.Dropout(dropout),
            nn.Linear(hidden, hidden),
            nn.ReLU(),
            nn.Dropout(dropout),
            nn.Linear(hidden, 10),
        )

    def forward(self, pixels):
        return self.layers(pixels)


def load_data(held_out):
    """Pixels scaled to 0..1 and labels, shuffled and cut into training and held-out digits."""
    digits = load_digits()
    pixels = torch.from_numpy(digits.data).float() / 16
    labels = torch.from_numpy(digits.target).long()
    order = torch.randperm(len(labels))
    pixels, labels = pixels[order], labels[order]
    cut = len(labels) - held_out
    return TensorDataset(pixels[:cut], labels[:cut]), (pixels[cut:], labels[cut:])


def train_epoch(model, loader, loss_function, optimizer):
    """One pass over the training digits; returns the mean loss."""
    model.train()
    total = 0.0
    for pixels, labels in loader:
        optimizer.zero_grad()
        loss = loss_function(model(pixels), labels)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(labels)
    return total / len(loader.dataset)


def predict(model, pixels):
    """The digit with the highest score for each row of pixels."""
    model.eval()
    with torch.no_grad():
        return model(pixels).argmax(dim=1)


def train(model, loader, held_out, epochs, learning_rate):
    """Trains with Adam behind a progress bar; returns the loss of each epoch."""
    loss_function = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=learning_rate)
    pixels, labels = held_out
    columns = [
        TextColumn("training"),
        BarColumn(bar_width=32),
        MofNCompleteColumn(),
        TextColumn("epochs  loss {task.fields[loss]:.4f}  held out {task.fields[accuracy]:.1%}"),
        TimeElapsedColumn(),
    ]
    losses = []
    with Progress(*columns) as progress:
        task = progress.add_task("training", total=epochs, loss=float("nan"), accuracy=0.0)
        for _ in range(epochs):
            losses.append(train_epoch(model, loader, loss_function, optimizer))
            accuracy = (predict(model, pixels) == labels).float().mean().item()
            progress.update(task, advance=1, loss=losses[-1], accuracy=accuracy)
    return losses


def loss_curve(losses, width=40):
    """The losses as one line of blocks, on a logarithmic scale."""
    blocks = "▁▂▃▄▅▆▇█"
    picked = [math.log(loss) for loss in losses[:: max(1, len(losses) // width)]]
    low, high = min(picked), max(picked)
    heights = [(value - low) / (high - low or 1) for value in picked]
    return "".join(blocks[round(7 * height)] for height in heights)


def confusion(predicted, labels):
    """A 10 x 10 table: how many digits of the row's kind were read as the column's."""
    table = torch.zeros(100, dtype=torch.long)
    for index in (labels * 10 + predicted).tolist():
        table[index] += 1
    return table.reshape(10, 10)


def worst_pair(table):
    """The two different digits most often taken for one another: (written, read, times)."""
    mistakes = table.clone()
    for digit in range(10):
        mistakes[digit, digit] = 0
    place = int(mistakes.argmax())
    return place // 10, place % 10, int(mistakes.max())


def drawn(pixels):
    """A digit as eight lines of text, each pixel two characters wide."""
    rows = pixels.reshape(8, 8).tolist()
    return ["".join(SHADES[int(value * 9)] * 2 for value in row) for row in rows]


def show(pixels, labels, predicted, chosen):
    """Prints the chosen digits side by side with what they are and what was read."""
    pictures = [drawn(pixels[index]) for index in chosen]
    for lines in zip(*pictures, strict=True):
        print("  " + "   ".join(lines))
    captions = [f"is {int(labels[index])}, read {int(predicted[index])}" for index in chosen]
    print("  " + "   ".join(caption.center(16) for caption in captions))


def report(losses, seconds, held_out, predicted):
    """What was learned: loss, accuracy, the worst confusion, some digits."""
    pixels, labels = held_out
    right = predicted == labels
    count = int(right.sum())
    print(f"\nloss       {loss_curve(losses)}  {losses[0]:.3f} -> {losses[-1]:.4f}")
    print(f"time       {seconds:.1f} s for {len(losses)} epochs")
    print(f"accuracy   {count / len(labels):.2%} of {len(labels)} held-out digits "
          f"({len(labels) - count} misread)")  # fmt: skip
    written, read, times = worst_pair(confusion(predicted, labels))
    if times:
        print(f"worst pair {written} read as {read}, {times} time{'s' if times > 1 else ''}")
    wrong = (~right).nonzero().flatten().tolist()
    print("\nread correctly:")
    show(pixels, labels, predicted, right.nonzero().flatten().tolist()[:4])
    if wrong:
        print("\nmisread:")
        show(pixels, labels, predicted, wrong[:4])


def main():
    parser = argparse.ArgumentParser(description="Trains a network on handwritten digits.")
    parser.add_argument("--epochs", type=int, default=40)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--lr", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()

    torch.manual_seed(arguments.seed)
    training, held_out = load_data(held_out=360)
    model = DigitNet()
    parameters = sum(parameter.numel() for parameter in model.parameters())
    print(model)
    print(f"{parameters:,} parameters, {len(training):,} digits to learn from")

    loader = DataLoader(training, batch_size=arguments.batch_size, shuffle=True)
    start = time.perf_counter()
    losses = train(model, loader, held_out, arguments.epochs, arguments.lr)
    report(losses, time.perf_counter() - start, held_out, predict(model, held_out[0]))


if __name__ == "__main__":
    main()
