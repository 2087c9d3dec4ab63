"""Plays many sequences and prints what occurred."""

import argparse
import faulthandler
import time
from typing import Any

from tests.graph.stateful.report import complaints, play_all, table

parser = argparse.ArgumentParser(prog="python -m tests.graph.stateful", description=__doc__)
parser.add_argument("--sequences", type=int, default=1000)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--first", type=int, default=0, help="the number of the first sequence")
options = parser.parse_args()
faulthandler.enable()

import torch  # noqa: E402

import seegrad  # noqa: E402

reference: Any = torch
begin = time.perf_counter()
tally = play_all(
    options.seed, range(options.first, options.first + options.sequences), reference, seegrad
)
print(table(tally))
print(f"{time.perf_counter() - begin:.0f} s")
raise SystemExit("\n".join(complaints(tally)) or 0)
