"""Many sequences, and the table of what occurred in them."""

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

from tests.graph.stateful.actions import ACTIONS
from tests.graph.stateful.machine import Difference, shrunk
from tests.graph.stateful.sequence import Deck, Tally, play

LEAST = 0.02  # the share of the actions that each must have
ENDINGS = 0.30  # the share of the sequences that must end in gradients
# Every text of an error that section C of the contracts holds, as a pattern.
TEXTS = {
    "version, a result": r"\], which is output \d+ of \w+, is at version \d+; expected version \d",
    "version, a leaf or constant": r"by an inplace operation: \[[^]]*\]\] is at version \d+; exp",
    "version, in anomaly mode": r"is at version .* Hint: the backtrace further above shows the op",
    "version, torch.FloatTensor": r"modified by an inplace operation: \[torch\.FloatTensor \[",
    "version, torch.HalfTensor": r"modified by an inplace operation: \[torch\.HalfTensor \[",
    "version, CPUComplexDoubleType": r"by an inplace operation: \[CPUComplexDoubleType \[",
    "version, of AsStrided": r"which is output 0 of AsStrided, is at version",
    "leaf": r": a leaf Variable that requires grad is being used in an in-place operation\.$",
    "view of a leaf": r"a view of a leaf Variable that requires grad is being used in an in-place",
    "view made in no_grad": r"in no_grad mode and is being .* with grad mode enabled\. Given",
    "view made in inference mode": r"in inference mode and is being .* in normal mode\. Given",
    "one of several views": r"Output \d+ of \w+ is a view and is being .*returns multiple views\.",
    "one of several views, base": r"is a view and its base or another .*returns multiple views\.",
    "one of several views, no_grad": r"in no_grad mode and is being .*returns multiple views\.",
    "versions of inference tensors": r"Inference tensors do not track version counter\.$",
    "result does not fit": r"output with shape \[.*\] doesn't match the broadcast shape \[",
    "result cannot be cast": r"result type Float can't be cast to the desired output type Long",
    "memory shown several times": r"more than one element of the written-to tensor refers to a",
    "memory shared with an input": r"some elements of the input tensor and the written-to tensor",
    "sizes": r"The size of tensor a \(\d+\) must match the size of tensor b \(\d+\) at non-s",
    "matrices": r"mat1 and mat2 shapes cannot be multiplied \(2x3 and 2x3\)",
    "view of another size": r"shape '\[\d+\]' is invalid for input of size \d+",
    "view of other strides": r"view size is not compatible with input tensor's size and stride",
    "index out of bounds": r"IndexError: index -?\d+ is out of bounds for dimension \d+ with size",
    "dimension out of range": r"IndexError: Dimension out of range \(expected to be in range of",
    "gradient of the wrong type": r"TypeError: 'int' object is not iterable",
}


def play_all(seed: int, numbers: Iterable[int], reference: Any, ours: Any) -> Tally:
    """Plays sequences; a Difference is shrunk first."""
    tally, deck = Tally(), Deck(seed, list(ACTIONS))
    for number in numbers:
        try:
            play(seed, number, deck, ACTIONS, tally, reference, ours)
        except Difference as difference:
            raise shrunk(difference, reference, ours) from None
    return tally


def texts(tally: Tally) -> Counter[str]:
    """How often each text of TEXTS occurred."""
    found: Counter[str] = Counter(dict.fromkeys(TEXTS, 0))
    for error, count in tally.errors.items():
        for name, pattern in TEXTS.items():
            if re.search(pattern, error):
                found[name] += count
    return found


def complaints(tally: Tally) -> list[str]:
    """What occurred too seldom for the sequences to mean much."""
    steps = tally.played.total()
    found = [f"action {a}: {tally.played[a]} of {steps}" for a in ACTIONS
             if tally.played[a] < LEAST * steps]  # fmt: skip
    found += [f"error text {name}: never" for name, count in texts(tally).items() if not count]
    if tally.gradients < ENDINGS * tally.sequences:
        found.append(f"only {tally.gradients} of {tally.sequences} sequences end in gradients")
    return found


def table(tally: Tally) -> str:
    """What occurred, and how often."""
    steps = tally.played.total()
    lines = [f"{'action':34} {'times':>8} {'share':>7} {'refused':>8}"]
    lines += [
        f"{name:34} {tally.played[name]:8} {tally.played[name] / steps:7.2%} "
        f"{tally.refused[name]:8}" for name in ACTIONS
    ]  # fmt: skip
    lines += ["", f"{'error text of section C':34} {'times':>8}"]
    lines += [f"{name:34} {count:8}" for name, count in texts(tally).items()]
    lines += ["", f"{'node':34} {'sequences':>8}"]
    lines += [f"{name:34} {count:9}" for name, count in tally.nodes.most_common()]
    share = tally.gradients / tally.sequences
    lines += ["", f"{tally.sequences} sequences, {steps} actions, {len(tally.nodes)} nodes, "
              f"{len(tally.errors)} errors; {share:.1%} end in gradients"]  # fmt: skip
    return "\n".join(lines)
