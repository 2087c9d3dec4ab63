"""Kernels that go along a dimension: running sums, products and extremes.

Where the dimension may be None the elements are taken as one long row.
"""

from typing import Any

import numpy as np

from seegrad.arrays.reduce import wide
from seegrad.arrays.refusals import need_order

Array = Any  # an ndarray, or the NumPy scalar that a ufunc makes of 0-d arrays


def cumsum(self: Array, dim: int) -> Array:
    """Sums of the elements up to each."""
    if self.ndim == 0:
        return self.astype(wide(self) or self.dtype)
    return np.add.accumulate(self, axis=dim, dtype=wide(self))


def cumsum_reversed(self: Array, dim: int) -> Array:
    """Sums of the elements from each on."""
    return self.copy() if self.ndim == 0 else flipped(cumsum(flipped(self, dim), dim), dim)


def flipped(self: Array, dim: int) -> Array:
    """Self read backwards along a dimension."""
    return self[(slice(None),) * dim + (slice(None, None, -1),)]


def cumprod(self: Array, dim: int) -> Array:
    """Products of the elements up to each."""
    if self.ndim == 0:
        return self.astype(wide(self) or self.dtype)
    return np.multiply.accumulate(self, axis=dim, dtype=wide(self))


def shift_one(self: Array, dim: int | None, reverse: bool) -> Array:
    """Each element moved one place on (back if reverse); zero comes in."""
    if dim is None:
        return shift_one(self.reshape(-1), 0, reverse).reshape(self.shape)
    result = np.zeros_like(self)
    if self.ndim and self.shape[dim]:
        lead = (slice(None),) * dim
        low, high = (*lead, slice(None, -1)), (*lead, slice(1, None))
        if reverse:
            low, high = high, low
        result[high] = self[low]
    return result


def cumprod_exclusive(self: Array, dim: int | None, reverse: bool) -> Array:
    """Products of the elements before each (after each if reverse); one where there are none."""
    if dim is None:
        return cumprod_exclusive(self.reshape(-1), 0, reverse).reshape(self.shape)
    if self.ndim == 0 or self.shape[dim] == 0:
        return np.ones_like(self)
    products = flipped(cumprod(flipped(self, dim), dim), dim) if reverse else cumprod(self, dim)
    result = shift_one(products, dim, reverse)
    result[(slice(None),) * dim + (-1 if reverse else 0,)] = 1
    return result


def recurrence(self: Array, factor: Array, dim: int | None, reverse: bool) -> Array:
    """`s[j] = self[j] + factor[j] * s[j - 1]` along a dimension (`s[j + 1]` if reverse).

    Neighbours are joined, then neighbours of neighbours: log2(n) passes over whole arrays, no
    division. factor[0] is never used.
    """
    if dim is None:
        whole = recurrence(self.reshape(-1), factor.reshape(-1), 0, reverse)
        return whole.reshape(self.shape)
    if self.ndim == 0:
        return self.copy()
    if reverse:
        return flipped(recurrence(flipped(self, dim), flipped(factor, dim), dim, False), dim)
    total, factor = self.copy(), factor.copy()
    step, lead = 1, (slice(None),) * dim
    while step < self.shape[dim]:
        early, late = (*lead, slice(None, -step)), (*lead, slice(step, None))
        total[late] = total[late] + factor[late] * total[early]
        factor[late] = factor[late] * factor[early]
        step *= 2
    return total


def logcumsumexp(self: Array, dim: int) -> Array:
    """The logarithm of sums of exponentials up to each element, without overflow."""
    if self.dtype.kind == "c":
        return _logcumsumexp_complex(self, dim)
    return self.copy() if self.ndim == 0 else np.logaddexp.accumulate(self, axis=dim)


def _logcumsumexp_complex(self: Array, dim: int) -> Array:
    """One step after the other, because the order decides about multiples of 2 pi i."""
    if self.ndim == 0:
        return self.copy()
    result, total = np.empty_like(self), np.asarray(-np.inf, self.dtype)
    for place in range(self.shape[dim]):
        key = (*(slice(None),) * dim, place)
        total = result[key] = _log_add_exp(total, self[key])
    return result


def _log_add_exp(self: Array, other: Array) -> Array:
    """`log(exp(self) + exp(other))` of complex numbers, from the one with the larger real part."""
    first = self.real > other.real
    high: Array
    low: Array
    high, low = np.where(first, self, other), np.where(first, other, self)
    result = high + np.log1p(np.exp(low - high))
    # Infinite real parts: nothing is added to infinity, and nothing to nothing.
    gone = np.isneginf(low.real)
    result = np.where(gone, np.where(np.isneginf(high.real), -np.inf, high), result)
    both = np.isposinf(low.real)
    result = np.where(both, np.log(np.exp(high) + np.exp(low)), result)
    nan = np.isnan(self) | np.isnan(other)
    return np.where(nan, np.nan * (1 + 1j), result).astype(self.dtype)


def cummax(self: Array, dim: int) -> tuple[Array, Array]:
    """The largest element up to each and where it is: the last of equals, the last NaN."""
    return _cumulative_extreme(self, dim, np.maximum)


def cummin(self: Array, dim: int) -> tuple[Array, Array]:
    """The smallest element up to each and where it is: the last of equals, the last NaN."""
    return _cumulative_extreme(self, dim, np.minimum)


def _cumulative_extreme(self: Array, dim: int, extreme: np.ufunc) -> tuple[Array, Array]:
    if self.ndim == 0 or not self.size:
        return self.copy(), np.zeros(self.shape, np.int64)
    need_order(self, "cummax_cpu" if extreme is np.maximum else "cummin_cpu")
    values = extreme.accumulate(self, axis=dim)
    places = np.arange(self.shape[dim]).reshape(-1, *(1,) * (self.ndim - dim - 1))
    reached = (self == values) | ((self != self) & (values != values))
    indices = np.maximum.accumulate(np.where(reached, places, 0), axis=dim)
    return values, indices


def prod_others(self: Array, dim: int | None) -> Array:
    """For each element the product of the others along a dimension, right where some are zero."""
    if dim is None:
        return prod_others(self.reshape(-1), 0).reshape(self.shape)
    if self.ndim == 0:
        return np.ones_like(self)
    if np.all(self):
        return np.multiply.reduce(self, axis=dim, keepdims=True) / self
    before, after = (cumprod_exclusive(self, dim, reverse) for reverse in (False, True))
    return before * after
