"""Evenly spaced numbers."""

from typing import Any

import numpy as np

FUSED: dict[str, Any] = {"f": np.float64, "d": np.longdouble}


def spaced(first: Any, last: Any, steps: int, kind: Any) -> Any:
    """PyTorch's formula: from the start up to the middle, from the end down to it."""
    if steps <= 1:
        return np.full(steps, first).astype(kind)
    wide = np.dtype(np.float64) if kind.kind in "iu" or kind.name == "bfloat16" else kind
    wide = np.dtype(np.float32) if kind.itemsize == 2 and kind.kind != "i" else wide
    number_of = wide.type
    step = (number_of(last) - number_of(first)) / number_of(steps - 1)
    index = np.arange(steps)
    whole = FUSED.get(wide.char, wide.type)  # rounded once, as by a fused multiplication and sum
    from_start = whole(number_of(first)) + whole(step) * index
    from_end = whole(number_of(last)) - whole(step) * (steps - 1 - index)
    return np.where(index < steps // 2, from_start, from_end).astype(wide).astype(kind)
