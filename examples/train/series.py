"""An LSTM reads three centuries of sunspots and foretells the years that it has not seen.

`sunspots.csv` holds the yearly numbers from 1700 to 2008 (National Geophysical Data Center, public
domain).

    python -m seegrad run examples/train/series.py
    python examples/train/series.py                       (where PyTorch is installed)
"""

import argparse
import csv
import pathlib

import torch
from showing import plot, trained
from torch import nn

SCALE, KNOWN, WINDOW = 100.0, 249, 33  # learned from up to 1948; three cycles of eleven years


class Forecast(nn.Module):
    """The numbers of some years in, for each of them the number of the next year out."""

    def __init__(self, hidden=32):
        super().__init__()
        self.lstm = nn.LSTM(1, hidden, batch_first=True)
        self.next = nn.Linear(hidden, 1)

    def forward(self, years, state=None):
        hidden, state = self.lstm(years, state)
        return years + self.next(hidden), state


def start(seed=0):
    """The network and the series, shape (years, 1), in hundreds of sunspots."""
    torch.manual_seed(seed)
    with open(pathlib.Path(__file__).with_name("sunspots.csv")) as file:
        spots = [float(row["sunspots"]) for row in csv.DictReader(file)]
    return Forecast(), torch.tensor(spots).unsqueeze(1) / SCALE


def training(model, series):
    """Yields the loss of each step: 16 windows of the known years."""
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    known = series[:KNOWN]
    while True:
        begins = torch.randint(KNOWN - WINDOW, (16, 1))
        windows = known[begins + torch.arange(WINDOW + 1)]
        foretold, _ = model(windows[:, :-1])
        loss = (foretold - windows[:, 1:]).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        yield loss.item()


@torch.no_grad()
def foretold(model, series):
    """For each unseen year the number that the years before it make likely."""
    found, _ = model(series[:-1].unsqueeze(0))
    return found[0, KNOWN - 1 :, 0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=600)
    steps = parser.parse_args().steps
    model, series = start()
    trained(training(model, series), steps)
    real, guessed = series[KNOWN:, 0], foretold(model, series)
    error = SCALE * float((guessed - real).square().mean().sqrt())
    naive = SCALE * float((series[KNOWN:, 0] - series[KNOWN - 1 : -1, 0]).square().mean().sqrt())
    print(f"learned   the next year to within {error:.0f} sunspots, from 1949 to 2008; "
          f"'as last year' misses by {naive:.0f}")  # fmt: skip
    print("\nsunspots 1949 to 2008: + counted, o foretold a year before")
    plot({"+": (SCALE * real).tolist(), "o": (SCALE * guessed).tolist()})


if __name__ == "__main__":
    main()
