"""Values and dtypes of PyTorch's table of operators in every type but float64 and complex128.

What PyTorch computes in a type is compared: integers and bools exactly, float32 and complex64 to
four digits, half precision in units in the last place. What it refuses is refused here, with its
class and text.

    python -m tests.opdb.dtypes            # the account, type by type; all samples
    python -m tests.opdb.dtypes 4 add sum  # four samples of these, with the first differences
"""

import warnings
from typing import Any

import numpy as np

import seegrad
from tests.database.run import HALVES, numpy
from tests.opdb import driver

DTYPES = (
    *("float32", "complex64", "int8", "int16", "int32", "int64", "uint8", "bool"),
    *("float16", "bfloat16"),
)


def ulps(entry: Any) -> int:
    """By how many units in the last place a result in half precision may differ."""
    from torch.testing._internal.opinfo.core import BinaryUfuncInfo, UnaryUfuncInfo

    return 1 if isinstance(entry, BinaryUfuncInfo | UnaryUfuncInfo) else 2


def samples(entry: Any, dtype: str, most: int | None) -> list[Any]:
    """Samples without gradients, also in a type that the entry says it does not support."""
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


def difference(entry: Any, sample: Any) -> tuple[str, str]:
    """What PyTorch did, "value" or "refusal", and how ours differs, in words."""
    import torch

    arguments = (sample.input, tuple(sample.args), sample.kwargs)
    own = tuple(driver.translated(one) for one in arguments)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wanted = outcome(torch, entry.op, arguments, sample.output_process_fn_grad)
        found = outcome(
            seegrad, driver.call_of(entry), own, driver.ours(sample.output_process_fn_grad)
        )
    if isinstance(wanted, str):
        mine = found if isinstance(found, str) else "no error"
        return "refusal", "" if mine == wanted else f"{mine} | for | {wanted}"
    if isinstance(found, str):
        return "value", found
    return "value", compared(entry, found, wanted)


def outcome(torch: Any, call: Any, arguments: Any, process: Any) -> list[Any] | str:
    """The tensors of a result, or class and text of the error."""
    first, args, kwargs = arguments
    try:
        return driver.tensors(process(call(first, *args, **kwargs)))
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def compared(entry: Any, found: list[Any], wanted: list[Any]) -> str:
    """The first difference of two lists of tensors."""
    if len(found) != len(wanted):
        return f"{len(found)} tensors for {len(wanted)}"
    for place, (mine, other) in enumerate(zip(found, wanted, strict=True)):
        for what in ("dtype", "shape"):
            one, two = (str(getattr(t, what)) for t in (mine, other))
            if one != two:
                return f"{place} has {what} {one}, not {two}"
        dtype = str(other.dtype).removeprefix("torch.")
        if dtype in HALVES:
            off = distance(numpy(mine), numpy(other), dtype)
            if off > ulps(entry):
                return f"{place} is {off:g} units off"
        elif not driver.close(mine, other):
            return f"{place} is {mine.tolist()}, not {other.tolist()}"
    return ""


def distance(found: Any, wanted: Any, dtype: str) -> float:
    """The largest difference in units in the last place; equal infinities and NaN have none."""
    digits, lowest = HALVES[dtype]
    with np.errstate(all="ignore"):
        exponent = np.maximum(np.frexp(wanted)[1] - 1, lowest)
        off = np.abs(found - wanted) / 2.0 ** (exponent - digits + 1)
    same = (found == wanted) | (np.isnan(found) & np.isnan(wanted))
    return float(np.max(np.where(same, 0, np.nan_to_num(off, nan=np.inf)), initial=0))
