"""Kernels that order: sorting, picking the largest, counting, searching, finding places."""

import math
from typing import Any

import numpy as np

from seegrad.arrays.dims import wrap_dim
from seegrad.arrays.dtypes import bfloat16
from seegrad.arrays.index import type_name
from seegrad.arrays.refusals import need_order
from seegrad.arrays.strides import dense_like, strided

Array = Any  # an ndarray; NumPy's own type is too narrow for keys and scalars


def _along(self: Array, places: Array, axis: int) -> Array:
    return np.take_along_axis(self, places, axis)


def _argsort(self: Array, axis: int, descending: bool) -> Array:
    """Stable order of each line; NaN counts as the largest."""
    if self.dtype == bfloat16.numpy:  # NumPy does not know its NaN
        self = self.astype(np.float32)
    if not descending:
        return np.argsort(self, axis, kind="stable")
    size = self.shape[axis]
    back = np.flip(self, axis)
    return size - 1 - np.flip(np.argsort(back, axis, kind="stable"), axis)


def sort(self: Array, dim: int = -1, descending: bool = False) -> tuple[Array, Array]:
    """Values in order along a dimension, and where they were; equal ones keep their order."""
    if self.dtype.kind == "c":
        raise RuntimeError(" Sort does not support complex dtypes on CPU")
    axis = wrap_dim(dim, self.ndim)
    if not self.ndim:
        return self.copy(), np.zeros((), np.int64)
    places = _argsort(self, axis, descending)
    values, indices = dense_like(self, self.dtype), dense_like(self, np.int64)
    values[...] = _along(self, places, axis)
    indices[...] = places
    return values, indices


sort_stable = sort


def topk(
    self: Array, k: int, dim: int = -1, largest: bool = True, sorted: bool = True
) -> tuple[Array, Array]:
    """The `k` largest or smallest along a dimension, in order, and where they were."""
    if self.dtype.kind == "c":
        raise RuntimeError(" topk does not support complex dtypes on CPU")
    if self.dtype.kind == "b":
        raise RuntimeError("topk does not support bool dtypes on CPU")
    axis = wrap_dim(dim, self.ndim)
    size = self.shape[axis] if self.ndim else 1
    if not 0 <= k <= size:
        raise RuntimeError("selected index k out of range")
    if not self.ndim:
        return self.copy(), np.zeros((), np.int64)
    few = 0 < 8 * k <= size and self.dtype.kind in "fiu" and not np.isnan(self).any()
    places = (_first_few if few else _first)(self, k, axis, largest)
    return np.ascontiguousarray(_along(self, places, axis)), places


def _first(self: Array, k: int, axis: int, descending: bool) -> Array:
    """The places of the first `k` in the stable order."""
    lead = (slice(None),) * axis
    return np.ascontiguousarray(_argsort(self, axis, descending)[(*lead, slice(k))])


def _first_few(self: Array, k: int, axis: int, descending: bool) -> Array:
    """The same of few among many, no NaN: only what is not beyond the last of them is sorted."""
    lines = np.moveaxis(self, axis, -1)
    last = lines.shape[-1] - k if descending else k - 1
    limit = np.partition(lines, last, -1)[..., last, None]
    chosen = lines > limit if descending else lines < limit
    equal = lines == limit
    missing = k - np.count_nonzero(chosen, -1, keepdims=True)
    if (np.count_nonzero(equal, -1, keepdims=True) > missing).any():
        equal &= np.cumsum(equal, -1) <= missing
    chosen |= equal
    places = chosen.nonzero()[-1].reshape(limit.shape[:-1] + (k,))
    order = _argsort(_along(lines, places, -1), -1, descending)
    return np.ascontiguousarray(np.moveaxis(_along(places, order, -1), -1, axis))


def place_of_rank(self: Array, rank: int, axis: int) -> Array:
    """Where the element is that the stable order has at a rank, counted from 0; NaN comes last."""
    if self.dtype == bfloat16.numpy:  # NumPy does not know its NaN
        self = self.astype(np.float32)
    limit = np.take(np.partition(self, rank, axis), [rank], axis)
    nan = limit != limit
    equal = (self == limit) | (nan & (self != self))
    before = (self < limit) | (nan & (self == self))
    count = np.count_nonzero(before, axis, keepdims=True)
    return np.argmax(np.cumsum(equal, axis) > rank - count, axis, keepdims=True)


def kthvalue(self: Array, k: int, dim: int = -1, keepdim: bool = False) -> tuple[Array, Array]:
    """The k-th smallest along a dimension, counted from 1, and where it was."""
    axis = wrap_dim(dim, self.ndim)
    size = self.shape[axis] if self.ndim else 1
    if not size:
        raise IndexError(f"kthvalue(): Expected reduction dim {axis} to have non-zero size.")
    if not 1 <= k <= size:
        raise RuntimeError(f"kthvalue(): selected number k out of range for dimension {axis}")
    if not self.ndim:
        return self.copy(), np.zeros((), np.int64)
    places = place_of_rank(self, k - 1, axis)
    values = _along(self, places, axis)
    same = (self == values) | ((self != self) & (values != values))
    if (np.count_nonzero(same, axis) > 1).any():
        places = _selected_places(self, k - 1, axis)
    if keepdim:
        return np.ascontiguousarray(values), np.ascontiguousarray(places)
    return values.squeeze(axis).copy(), places.squeeze(axis).copy()


def _selected_places(self: Array, k: int, axis: int) -> Array:
    """Which of tied elements PyTorch names: the one that its selection ends at."""
    lines = np.moveaxis(self, axis, -1)
    flat = lines.reshape(math.prod(lines.shape[:-1]), lines.shape[-1])
    places = [_selected(np.unique(line, return_inverse=True)[1].tolist(), k) for line in flat]
    return np.moveaxis(np.array(places).reshape(*lines.shape[:-1], 1), -1, axis)


def _selected(ranks: list[int], k: int) -> int:
    """Hoare's selection of the k-th of a line, the pivot being the median of three."""
    places = list(range(len(ranks)))

    def exchange(a: int, b: int) -> None:
        ranks[a], ranks[b] = ranks[b], ranks[a]
        places[a], places[b] = places[b], places[a]

    low, high = 0, len(ranks) - 1
    while low < high:
        if high == low + 1:
            if ranks[low] > ranks[high]:
                exchange(low, high)
            break
        exchange((low + high) // 2, low + 1)
        for a, b in ((low + 1, high), (low, high), (low + 1, low)):
            if ranks[a] > ranks[b]:
                exchange(a, b)
        left, right, pivot = low + 1, high, ranks[low]
        while True:
            left += 1
            while ranks[left] < pivot:
                left += 1
            right -= 1
            while ranks[right] > pivot:
                right -= 1
            if right < left:
                break
            exchange(left, right)
        exchange(low, right)
        low, high = left if right <= k else low, right - 1 if right >= k else high
    return places[k]


def argsort(self: Array, dim: int = -1, descending: bool = False) -> Array:
    """Where the values in order along a dimension were."""
    return sort(self, dim, descending)[1]


def nonzero(self: Array) -> Array:
    """The places of the elements that are not zero, one row for each."""
    if not self.ndim:
        return np.zeros((int(self != 0), 0), np.int64)
    found = np.stack(np.nonzero(self)).astype(np.int64, copy=False)
    return strided(found, found.shape[::-1], (8, 8 * found.shape[1]))  # as it lies in PyTorch


def bincount(self: Array, weights: Array | None = None, minlength: int = 0) -> Array:
    """How often each non-negative integer appears, or the sum of its weights."""
    if self.dtype.kind not in "iu":
        raise NotImplementedError(f"\"bincount_cpu\" not implemented for '{type_name(self)}'")
    if self.ndim != 1 or (self.size and self.min() < 0):
        raise RuntimeError("bincount only supports 1-d non-negative integral inputs.")
    if minlength < 0:
        raise RuntimeError("minlength should be >= 0")
    if weights is None or not self.size:
        return np.bincount(self, minlength=minlength).astype(np.int64, copy=False)
    if weights.shape != self.shape:
        raise RuntimeError("weights should be 1-d and have the same length as input")
    counted = np.bincount(self, weights.astype(np.float64), minlength)
    return counted.astype(np.float32 if weights.dtype == np.float32 else np.float64)


def searchsorted(sorted_sequence: Array, self: Array, right: bool = False) -> Array:
    """Where each value belongs in a sorted sequence, or in the row of many sequences beside it."""
    side: Any = "right" if right else "left"
    need_order(self, "searchsorted_out_cpu")
    if sorted_sequence.ndim == 1:
        return np.asarray(np.searchsorted(sorted_sequence, self, side), np.int64)
    if sorted_sequence.shape[:-1] != self.shape[:-1]:
        raise RuntimeError(
            "torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 "
            "dimensions of boundaries tensor and input value tensor must match, but we got "
            f"boundaries tensor {list(sorted_sequence.shape)} and input value tensor "
            f"{list(self.shape)}"
        )
    out = np.empty(self.shape, np.int64)
    for place in np.ndindex(self.shape[:-1]):
        out[place] = np.searchsorted(sorted_sequence[place], self[place], side)
    return out


def isin(self: Array, test_elements: Array, invert: bool = False) -> Array:
    """For each element whether it is among the others."""
    return np.asarray(np.isin(self, test_elements, invert=invert))


def unique(self: Array) -> tuple[Array, Array, Array]:
    """The different values in order, where each element went, and how often each appears."""
    need_order(self, "unique")
    values, places, numbers = np.unique(
        self, return_inverse=True, return_counts=True, equal_nan=False
    )
    return values, places.reshape(self.shape).astype(np.int64), numbers.astype(np.int64)


def unique_dim(self: Array, dim: int) -> tuple[Array, Array, Array]:
    """The different slices of a dimension, in order."""
    axis = _slices_axis(self, dim)
    if not self.size:
        return self.copy(), np.zeros(0, np.int64), np.zeros(0, np.int64)
    values, places, numbers = np.unique(
        self, return_inverse=True, return_counts=True, axis=axis, equal_nan=False
    )
    return values, places.reshape(-1).astype(np.int64), numbers.astype(np.int64)


def unique_consecutive(self: Array, dim: int | None) -> tuple[Array, Array, Array]:
    """The values without immediate repetitions, where each element went, the lengths of runs."""
    need_order(self, "unique")
    axis = 0 if dim is None else _slices_axis(self, dim)
    lines = self.reshape(-1, 1) if dim is None else np.moveaxis(self, axis, 0)
    flat = lines.reshape(len(lines), math.prod(lines.shape[1:]))
    first = np.ones(len(flat), np.bool_)
    first[1:] = (flat[1:] != flat[:-1]).any(1)
    starts = np.flatnonzero(first)
    places = np.cumsum(first) - 1
    numbers = np.diff(np.append(starts, len(flat)))
    if dim is None:
        return self.reshape(-1)[starts], places.reshape(self.shape), numbers
    return np.moveaxis(lines[starts], 0, axis).copy(), places, numbers


def _slices_axis(self: Array, dim: int) -> int:
    """The dimension counted from the front, after it is clear that it has slices."""
    need_order(self, "unique_dim")
    if not self.ndim:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    axis = wrap_dim(dim, self.ndim)
    if not self.size and self.shape[axis]:
        raise RuntimeError(
            "There are 0 sized dimensions, and they aren't selected, so unique cannot be applied"
        )
    return axis
