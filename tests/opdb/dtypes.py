"""Values and dtypes of PyTorch's table of operators in every type but float64 and complex128.

What PyTorch computes in a type is compared: integers and bools exactly, float32 and complex64 to
four digits, half precision in units in the last place, one for elementwise functions and two for
all others: from PyTorch's result, or from its result in float64. What it refuses is refused here,
with its class and text.

    python -m tests.opdb.dtypes            # the account, type by type, of 8 samples an entry
    python -m tests.opdb.dtypes add fft.   # of these entries, all samples
"""

import sys
import warnings
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tests.database.run import HALVES, numpy
from tests.opdb import account, driver
from tests.opdb.exceptions import VALUES

DTYPES = (
    *("float32", "complex64", "int8", "int16", "int32", "int64", "uint8", "bool"),
    *("float16", "bfloat16"),
)
# What is in new memory is not determined.
UNDETERMINED = ("empty", "empty_like", "empty_permuted", "empty_strided", "new_empty")
UNDETERMINED += ("new_empty_strided",)
# Indices of sorted elements, by the place of `dim` among the arguments: equal elements come in any
# order, unless a stable one is asked for.
SORTED = {"argsort": 0, "sort": 0, "topk": 1}


@dataclass
class Outcome:
    """What PyTorch did with a sample, "value" or "refusal", and how our answer differs."""

    kind: str
    text: str = ""
    is_exact: bool = False
    """Half precision further from PyTorch's result than it may be, but not from the exact one."""


@dataclass
class Account:
    """The entries that PyTorch computes in one dtype, or refuses, and those that differ here."""

    asked: dict[str, int] = field(default_factory=lambda: {"value": 0, "refusal": 0})
    wrong: dict[str, dict[str, str]] = field(default_factory=lambda: {"value": {}, "refusal": {}})
    exact: list[str] = field(default_factory=list)


def units(entry: Any) -> int:
    """By how many units in the last place a result in half precision may differ."""
    from torch.testing._internal.opinfo.core import BinaryUfuncInfo, UnaryUfuncInfo

    return 1 if isinstance(entry, BinaryUfuncInfo | UnaryUfuncInfo) else 2


def samples(entry: Any, dtype: str, most: int | None) -> list[Any]:
    """Samples without gradients, also in a type that the entry does not say it supports."""
    import torch

    torch.manual_seed(0)
    try:
        found = list(entry.sample_inputs("cpu", getattr(torch, dtype), requires_grad=False))
    except Exception:
        return []  # the table cannot make numbers of this type
    if most is None or len(found) <= most:
        return found
    return [found[round(place)] for place in np.linspace(0, len(found) - 1, most)]


def is_there(entry: Any) -> bool:
    """Whether seegrad has what the entry is about."""
    try:
        driver.call_of(entry)
    except AttributeError:
        return False
    return True


def outcome(entry: Any, sample: Any) -> Outcome:
    """What PyTorch says to a sample, and whether we say the same."""
    arguments = (sample.input, tuple(sample.args), sample.kwargs)
    own = tuple(driver.translated(one) for one in arguments)
    process = sample.output_process_fn_grad
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wanted = answer(entry.op, arguments, process)
        found = answer(driver.call_of(entry), own, driver.ours(process))
        if isinstance(wanted, str):
            mine = found if isinstance(found, str) else "no error"
            return Outcome("refusal", "" if mine == wanted else f"{mine} | for | {wanted}")
        if isinstance(found, str):
            return Outcome("value", found)
        text = compared(entry, sample, found, wanted)
        is_exact = False
        if "units" in text:
            precise = answer(entry.op, doubled(arguments), process)
            is_exact = not isinstance(precise, str) and not compared(
                entry, sample, found, [p.to(w.dtype) for p, w in zip(precise, wanted, strict=True)]
            )
    return Outcome("value", "" if is_exact else text, is_exact)


def answer(call: Any, arguments: Any, process: Any) -> list[Any] | str:
    """The tensors of a result, or class and text of the error."""
    first, args, kwargs = arguments
    try:
        return driver.tensors(process(call(first, *args, **kwargs)))
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def doubled(value: Any) -> Any:
    """PyTorch's arguments in float64, where they are floats."""
    import torch

    if isinstance(value, torch.Tensor):
        return value.double() if value.is_floating_point() else value
    if isinstance(value, torch.dtype):
        return torch.float64 if value.is_floating_point else value
    if type(value) in (tuple, list):
        return type(value)(doubled(one) for one in value)
    if isinstance(value, dict):
        return {name: doubled(one) for name, one in value.items()}
    return value


def compared(entry: Any, sample: Any, found: list[Any], wanted: list[Any]) -> str:
    """The first difference of two lists of tensors, in words."""
    if len(found) != len(wanted):
        return f"{len(found)} tensors for {len(wanted)}"
    for place, (mine, other) in enumerate(zip(found, wanted, strict=True)):
        for what in ("dtype", "shape"):
            one, two = (str(getattr(t, what)) for t in (mine, other))
            if one != two:
                return f"{place} has {what} {one}, not {two}"
        text = "" if entry.name in UNDETERMINED else apart(entry, sample, mine, other)
        if text:
            return f"{place} is {text}"
    return ""


def apart(entry: Any, sample: Any, mine: Any, other: Any) -> str:
    """How far the numbers of two tensors are from each other; nothing where they agree."""
    dtype = str(other.dtype).removeprefix("torch.")
    if dtype in HALVES:
        most = units(entry)
        off = distance(numpy(mine), numpy(other), dtype, 1e-6 if most > 1 else 0)
        return f"{off:g} units off" if off > most else ""
    if driver.close(mine, other) or (dtype == "int64" and same_order(entry, sample, mine, other)):
        return ""
    return f"{mine.tolist()}, not {other.tolist()}"


def distance(found: Any, wanted: Any, dtype: str, noise: float = 0) -> float:
    """The largest difference in units in the last place; equal infinities and NaN have none.

    Nor has what is smaller than `noise` times the largest result: sums that cancel.
    """
    digits, lowest = HALVES[dtype]
    small = noise * np.max(np.abs(wanted[np.isfinite(wanted)]), initial=0)
    with np.errstate(all="ignore"):
        exponent = np.maximum(np.frexp(wanted)[1] - 1, lowest)
        off = np.abs(found - wanted) / 2.0 ** (exponent - digits + 1)
        same = (found == wanted) | (np.abs(found - wanted) <= small)
    same |= np.isnan(found) & np.isnan(wanted)
    return float(np.max(np.where(same, 0, np.nan_to_num(off, nan=np.inf)), initial=0))


def same_order(entry: Any, sample: Any, mine: Any, other: Any) -> bool:
    """Whether two tensors of indices put the same values in order, where any order may be."""
    if entry.name not in SORTED or sample.kwargs.get("stable") or not sample.input.ndim:
        return False
    place = SORTED[entry.name]
    given = sample.args[place] if len(sample.args) > place else -1
    dim, values = sample.kwargs.get("dim", given), numpy(sample.input)
    one, two = (np.take_along_axis(values, numpy(order), dim) for order in (mine, other))
    return bool(np.array_equal(one, two, equal_nan=values.dtype.kind == "f"))


def known() -> set[tuple[str, str]]:
    """The dtypes and entries whose values differ, with their reasons in `exceptions`."""
    return {
        (dtype, name)
        for entries in VALUES.values()
        for name, dtypes in entries.items()
        for dtype in dtypes.split()
    }


def asked(*families: str) -> list[Any]:
    """The public entries of these names, or all, that have a name in seegrad."""
    found = driver.entries(*families) if families else driver.table()
    return [one for one in found if not account.reason(one) and is_there(one)]


def ask(entry: Any, dtype: str, most: int | None, into: Account) -> None:
    """Asks one entry in one dtype, and adds it to the account."""
    found = [outcome(entry, sample) for sample in samples(entry, dtype, most)]
    for kind in into.asked:
        texts = [one.text for one in found if one.kind == kind]
        wrong = [text for text in texts if text]
        into.asked[kind] += bool(texts)
        if wrong:
            into.wrong[kind][driver.label(entry)] = " ".join(wrong[0].split())[:200]
    if any(one.is_exact for one in found):
        into.exact.append(driver.label(entry))


def table(found: dict[str, Account]) -> list[str]:
    """The figures, one row a dtype, as docs/operators.md has them."""
    lines = ["| dtype | computed | the same | more exact | refused | in the same words |"]
    lines.append("|---|---|---|---|---|---|")
    for dtype, one in found.items():
        value, refusal = (one.asked[kind] - len(one.wrong[kind]) for kind in one.asked)
        asked = one.asked
        lines.append(
            f"| {dtype} | {asked['value']} | {value} | {len(one.exact) or ''} | "
            f"{asked['refusal']} | {refusal} |"
        )
    return lines


def report(most: int | None, *families: str) -> None:
    """Prints the account, and the first difference of every entry that differs."""
    found = {dtype: Account() for dtype in DTYPES}
    for entry in asked(*families):
        for dtype, one in found.items():
            ask(entry, dtype, most, one)
    for dtype, one in found.items():
        for kind, wrong in one.wrong.items():
            for name, text in wrong.items():
                print(f"{dtype}: {kind}: {name}: {text}")
        if one.exact:
            print(f"{dtype}: more exact: {' '.join(one.exact)}")
    print("\n".join(table(found)))


if __name__ == "__main__":
    report(None if sys.argv[1:] else 8, *sys.argv[1:])
