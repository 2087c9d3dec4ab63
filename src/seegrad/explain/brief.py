"""Values in short: shape, dtype and a few numbers."""

from typing import Any

import numpy as np

from seegrad.arrays.dtypes import from_numpy
from seegrad.graph.tensor import TensorBase

__all__ = ["brief", "size"]

SHOWN = 4


def brief(value: Any) -> str:
    """A tensor or an array in one short line; other values by their `repr`, cut off.

    >>> import seegrad as torch
    >>> brief(torch.ones(2, 2))
    '(2, 2) float32: 1 1 1 1'
    """
    array = value._array if isinstance(value, TensorBase) else value
    if not isinstance(array, np.ndarray):
        text = repr(value)
        return text if len(text) <= 60 else text[:57] + "..."
    kind = str(from_numpy(array.dtype)).removeprefix("torch.")
    shape = f"({', '.join(map(str, array.shape))}{',' if array.ndim == 1 else ''})"
    return f"{shape} {kind}: {numbers(array)}"


def numbers(array: Any) -> str:
    """The elements where there are few, else what they range over."""
    if array.size <= SHOWN:
        return " ".join(number(one) for one in array.ravel().tolist()) or "empty"
    if array.dtype.kind not in "fiu" and array.dtype.kind != "V":
        return " ".join(number(one) for one in array.ravel()[:SHOWN].tolist()) + " ..."
    wide = array.astype(np.float64)
    usable = wide[np.isfinite(wide)]
    parts = []
    if usable.size == array.size and usable.min() == usable.max():
        return f"all {number(usable[0])}"
    elif usable.size:
        parts.append(f"{number(usable.min())} to {number(usable.max())}")
        parts.append(f"mean {number(usable.mean())}")
        zeros = int((wide == 0).sum())
        if zeros:
            parts.append(f"{zeros} of {array.size} are 0")
    bad = array.size - usable.size
    if bad:
        parts.append(f"{bad} of {array.size} are not finite")
    return ", ".join(parts)


def number(value: Any) -> str:
    """One number with four digits."""
    return f"{value:.4g}" if isinstance(value, (float, complex)) else str(value)


def size(count: int) -> str:
    """A number of bytes as people read it.

    >>> size(2048), size(3), size(5_000_000)
    ('2.0 KiB', '3 B', '4.8 MiB')
    """
    if count < 1024:
        return f"{count} B"
    value = float(count)
    for unit in ("KiB", "MiB", "GiB"):
        value /= 1024
        if value < 1024 or unit == "GiB":
            break
    return f"{value:.1f} {unit}"


def counted(count: int, one: str, many: str | None = None) -> str:
    """A number with its noun.

    >>> counted(1, "node"), counted(2, "pass", "passes")
    ('1 node', '2 passes')
    """
    return f"{count} {one if count == 1 else many or one + 's'}"
