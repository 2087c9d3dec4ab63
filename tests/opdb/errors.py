"""What PyTorch's table of operators calls wrong: are both libraries' errors the same?

Besides the table's own wrong inputs, each entry's first sample is asked with another whole number
or a word in the place of each whole number, and with another shape in the place of each tensor.

    python -m tests.opdb.errors            # the account, and every answer that differs
    python -m tests.opdb.errors add fft.   # of these entries
"""

import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.opdb import driver
from tests.opdb.dtypes import asked

# Entries with inputs that raise another class here, or none: methods called without a tensor, an
# `out=` of another type or in memory of others, sparse windows.
KNOWN = frozenset(
    {"__radd__", "__rdiv__", "__rmod__", "__rmul__", "__rpow__", "__rsub__"}
    | {"aminmax", "cat", "gather"}
    | {f"signal.windows.{name}" for name in ("bartlett", "blackman", "cosine", "exponential")}
    | {f"signal.windows.{name}" for name in ("gaussian", "general_cosine", "general_hamming")}
    | {f"signal.windows.{name}" for name in ("hamming", "hann", "kaiser", "nuttall")}
)

Answers = tuple[str, str]  # class and text, ours and PyTorch's


def is_whole(tensor: Any) -> bool:
    """Whether a tensor of PyTorch has all its memory; a refused `out=` may have lost it."""
    steps = zip(tensor.shape, tensor.stride(), strict=True)
    last = tensor.storage_offset() + sum((size - 1) * step for size, step in steps)
    return tensor.untyped_storage().nbytes() > last * tensor.element_size() or not tensor.numel()


def wrong_inputs(entry: Any) -> Iterator[tuple[Any, ...]]:
    """The table's wrong arguments of an entry."""
    for wrong in entry.error_inputs("cpu") if entry.error_inputs_func else ():
        sample = wrong.sample_input
        given = driver.tensors([sample.input, list(sample.args), sample.kwargs])
        # NumPy has no more than 64 dimensions, and there is the CPU alone.
        if all(one.device.type == "cpu" and one.ndim <= 64 and is_whole(one) for one in given):
            yield sample.input, tuple(sample.args), sample.kwargs


def own_inputs(entry: Any) -> Iterator[tuple[Any, ...]]:
    """Wrong arguments made of an entry's first sample, and some that may be right."""
    import torch

    for sample in driver.samples(entry, "float32", 1):
        first, args, kwargs = sample.input, tuple(sample.args), sample.kwargs
        for place, value in enumerate(args):
            for other in others(torch, value):
                yield first, (*args[:place], other, *args[place + 1 :]), kwargs
        for name, value in kwargs.items():
            for other in others(torch, value):
                yield first, args, kwargs | {name: other}


def others(torch: Any, value: Any) -> tuple[Any, ...]:
    """What an argument is replaced by."""
    if isinstance(value, torch.Tensor):  # indices of another shape make PyTorch crash
        return (torch.ones(3, 1, 7, dtype=value.dtype),) if value.is_floating_point() else ()
    return (77, "word") if type(value) is int else ()


def answers(entry: Any, inputs: Any = wrong_inputs) -> list[Answers]:
    """What both libraries say to an entry's wrong inputs: ours and PyTorch's."""
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for arguments in inputs(entry):
            own = driver.translated(arguments, {})
            mine = driver.said(lambda: driver.call_of(entry), own)
            found.append((mine, driver.said(lambda: entry.op, arguments)))
    return found


def kind(answer: str) -> str:
    """The class of the error that an answer tells of."""
    return answer.partition(":")[0]


@dataclass
class Count:
    """How many wrong inputs were asked, and how many answers are the same."""

    asked: int = 0
    same_class: int = 0
    same_text: int = 0
    differing: dict[str, list[Answers]] = field(default_factory=dict)


def count(inputs: Any, found: list[Any]) -> Count:
    """The account of the wrong inputs of these entries."""
    total = Count()
    for entry in found:
        for mine, theirs in answers(entry, inputs):
            total.asked += 1
            total.same_class += kind(mine) == kind(theirs)
            total.same_text += mine == theirs
            if mine != theirs:
                total.differing.setdefault(driver.label(entry), []).append((mine, theirs))
    return total


def report(*families: str) -> None:
    """Prints the account, and every answer that differs."""
    for title, inputs in (("PyTorch's own", wrong_inputs), ("made here", own_inputs)):
        total = count(inputs, asked(*families))
        for name, pairs in total.differing.items():
            for mine, theirs in pairs:
                print(f"{name}: {mine[:200]!r} for {theirs[:200]!r}")
        print(
            f"wrong inputs, {title}: {total.asked} asked, {total.same_class} of the same class "
            f"({total.same_class / max(total.asked, 1):.1%}), {total.same_text} of the same text "
            f"({total.same_text / max(total.asked, 1):.1%})"
        )


if __name__ == "__main__":
    report(*sys.argv[1:])
