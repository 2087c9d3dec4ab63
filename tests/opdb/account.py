"""The account over PyTorch's table of operators: what agrees, what does not, what is left out.

An entry of the table counts once. It is right if value, dtype, shape, strides of views, first and
second derivative agree for every sample, in float64 and in complex128 where PyTorch has them.

    python -m tests.opdb.account        # all samples (make opdb); of very many, 100 evenly chosen
    python -m tests.opdb.account 8      # at most 8 samples an entry and dtype
"""

import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.opdb import driver

DTYPES = ("float64", "complex128")
FAMILIES = ("torch", "torch.linalg", "torch.fft", "torch.special", "torch.nn.functional")
FAMILIES += ("torch.masked", "torch.signal", "torch.sparse", "torch.ops")

# Entries that do not agree, each with its reason.
NO_SECOND = "PyTorch takes its second derivative to be zero, or has none"
KNOWN = {
    "as_strided_scatter": "PyTorch's gradient of the input is that of what was overwritten",
    "chalf": "makes complex32, which NumPy has no type for",
    "nn.functional.linear_cross_entropy.chunked": NO_SECOND,
    "nn.functional.linear_cross_entropy.chunked_none": NO_SECOND,
}
# Entries without a derivative whose values do not agree.
KNOWN_VALUES = {
    "hash_tensor": "makes uint64, which is not there",
    "special.bessel_j0": "PyTorch's digits are wrong from the eighth on",
    "special.bessel_j1": "PyTorch's digits are wrong from the eighth on",
    "special.bessel_y1": "PyTorch's digits are wrong from the eighth on",
}


@dataclass
class Family:
    """The entries of one namespace."""

    right: list[str] = field(default_factory=list)
    wrong: dict[str, str] = field(default_factory=dict)
    """The first difference, by entry."""
    left_out: dict[str, str] = field(default_factory=dict)
    """Why an entry is not compared, by entry."""


def family(entry: Any) -> str:
    """The namespace that an entry belongs to."""
    full = "torch." + entry.name.removeprefix("torch.")
    return max((one for one in FAMILIES if full.startswith(one + ".")), key=len)


def differentiable(entry: Any) -> bool:
    """Whether PyTorch has a derivative of the entry in float64 or complex128, on the CPU."""
    import torch

    supported = (entry.supports_dtype(getattr(torch, dtype), "cpu") for dtype in DTYPES)
    return entry.supports_autograd and any(supported)


def reason(entry: Any) -> str:
    """Why an entry is not compared: nothing where it is."""
    last = entry.name.rpartition(".")[2]
    code = getattr(entry.op, "__code__", None)
    if entry.name.startswith("sparse.") or entry.name == "to_sparse":
        return "sparse tensors"
    if str(getattr(entry.op, "__module__", "")).startswith("torch._ops"):
        return "not a public name: torch.ops.aten"
    if code is not None and {"ops", "aten"} <= {*code.co_names}:
        return "not a public name: torch.ops.aten"
    if last.startswith(("empty", "new_empty")):
        return "memory that nobody has written to"
    if last.startswith("jiterator"):
        return "compiles for GPUs"
    if last.startswith("_") and not last.endswith("__"):
        return "not a public name: begins with an underscore"
    return ""


def comparable() -> list[Any]:
    """The entries that count, each once."""
    return [one for one in driver.table() if differentiable(one) and not reason(one)]


def difference(entry: Any, most: int | None) -> str:
    """The first difference of an entry's answers, with its dtype; nothing where all agree."""
    for dtype in DTYPES:
        for number, texts in enumerate(driver.disagreements(entry, dtype, most)):
            if texts:
                return f"{dtype}, sample {number}: {' '.join(texts[0].split())[:200]}"
    return ""


def account(most: int | None) -> dict[str, Family]:
    """Every differentiable entry in its family, asked with at most so many samples a dtype."""
    found = {name: Family() for name in FAMILIES}
    for entry in filter(differentiable, driver.table()):
        kin, name = found[family(entry)], driver.label(entry)
        why = reason(entry)
        text = "" if why else difference(entry, most)
        if why:
            kin.left_out[name] = why
        elif text:
            kin.wrong[name] = text
        else:
            kin.right.append(name)
    return {name: kin for name, kin in found.items() if kin != Family()}


def table(found: dict[str, Family]) -> Iterator[str]:
    """The figures, one row a family, as docs/operators.md has them."""
    yield "| namespace | right | compared | left out |"
    yield "|---|---|---|---|"
    totals = [0, 0, 0]
    for name, kin in found.items():
        counts = [len(kin.right), len(kin.right) + len(kin.wrong), len(kin.left_out)]
        totals = [one + more for one, more in zip(totals, counts, strict=True)]
        yield f"| `{name}` | {counts[0]} | {counts[1]} | {counts[2]} |"
    yield f"| all | {totals[0]} | {totals[1]} | {totals[2]} |"


def without_derivative(most: int | None) -> tuple[int, dict[str, str]]:
    """How many entries without a derivative are compared, and which differ in their values."""
    import torch

    asked, wrong = 0, {}
    for entry in driver.table():
        values = [one for one in DTYPES if entry.supports_dtype(getattr(torch, one), "cpu")]
        if not entry.supports_autograd and values and not reason(entry):
            asked += 1
            text = difference(entry, most)
            if text:
                wrong[driver.label(entry)] = text
    return asked, wrong


def report(most: int | None) -> None:
    """Prints the account."""
    found = account(most)
    for name, kin in found.items():
        print(f"\n{name}: right are {len(kin.right)}")
        print(textwrap.fill(" ".join(kin.right), 99, initial_indent="  ", subsequent_indent="  "))
        listed("differs", {one: KNOWN.get(one, text) for one, text in kin.wrong.items()})
        listed("left out", kin.left_out)
    print("\n" + "\n".join(table(found)))
    right = sum(len(kin.right) for kin in found.values())
    count = right + sum(len(kin.wrong) for kin in found.values())
    print(f"\n{right} of {count} comparable entries are right ({right / count:.1%})")
    asked, wrong = without_derivative(most)
    print(f"{asked - len(wrong)} of {asked} entries without a derivative have the same values")
    listed("differs", {one: KNOWN_VALUES.get(one, text) for one, text in wrong.items()})


def listed(what: str, entries: dict[str, str]) -> None:
    """Prints a line for each entry."""
    for entry, text in entries.items():
        print(f"  {what}: {entry}: {text}", flush=True)


if __name__ == "__main__":
    report(int(sys.argv[1]) if sys.argv[1:] else 100)
