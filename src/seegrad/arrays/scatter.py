"""Adding and writing where integers point, with the right answer for repeated places."""

from typing import Any

import numpy as np

from seegrad.arrays.mixing import total_rows

Array = Any  # an ndarray; NumPy's own type is too narrow for keys and scalars
Size = tuple[int, ...]
Key = tuple[Any, ...]

# Up to so many elements `np.add.at` is faster than turning the key into flat places.
_FEW = 2000


def add_at(out: Array, key: Key, values: Array) -> None:
    """`out[key] += values`, where a place named twice is added to twice.

    `np.add.at` is fast for flat places only (1 ns an element against 6), so the key is turned into
    flat places of a contiguous `out`. Whole rows are added faster yet by a sparse matrix, unless
    most rows get none. A single mask names no place twice.
    """
    if not out.size:
        out[key]  # NumPy's IndexError where something is named of an empty array
    elif values.size < _FEW:
        np.add.at(out, key, values)
    elif len(key) == 1 and key[0].dtype == np.bool_:
        out[key] += values
    elif _is_by_rows(out, key, values):
        out += _total_rows(out, key[0], values)
    elif out.flags.c_contiguous:
        places = flat_places(out.shape, key)
        if values.shape != places.shape:
            values = np.broadcast_to(values, places.shape)
        np.add.at(out.reshape(-1), places.reshape(-1), np.ascontiguousarray(values).reshape(-1))
    else:
        np.add.at(out, key, values)


def added(shape: Size, key: Key, values: Array) -> Array:
    """Zeros to which values are added where the key points, as `add_at` does."""
    out = np.zeros(shape, values.dtype)
    if values.size >= _FEW and _is_by_rows(out, key, values):
        return _total_rows(out, key[0], values)
    add_at(out, key, values)
    return out


def _total_rows(out: Array, index: Array, values: Array) -> Array:
    """What is added to each row of `out`."""
    index = index.reshape(-1)
    _check(index, len(out))
    rows = np.ascontiguousarray(values).reshape(len(index), -1)
    total = total_rows(np.where(index < 0, index + len(out), index), rows, len(out))
    return np.asarray(total.reshape(out.shape))


def _is_by_rows(out: Array, key: Key, values: Array) -> bool:
    """Whether rows of several floats are added, and not many fewer than there are."""
    return bool(
        len(key) == 1
        and out.ndim > 1
        and key[0].dtype != np.bool_
        and out.dtype in (np.float32, np.float64)
        and values.shape == (*key[0].shape, *out.shape[1:])
        and values.size >= 4 * key[0].size
        and len(out) <= 4 * key[0].size
    )


def flat_places(shape: Size, key: Key) -> Array:
    """For each element that `key` picks of an array of this shape its place in C order."""
    if len(key) == 1:
        index, size = key[0], shape[0]
        if index.dtype != np.bool_:
            _check(index, size)
            index = np.where(index < 0, index + size, index)
            if len(shape) == 1:
                return index
            row = int(np.prod(shape[1:]))
            rows = index.reshape(-1, 1) * row + np.arange(row)
            return rows.reshape(index.shape + shape[1:])
    places: Array | int = 0
    step = 1
    for axis in reversed(range(len(shape))):
        along = np.arange(shape[axis]) * step
        wide = along.reshape((1,) * axis + (-1,) + (1,) * (len(shape) - axis - 1))
        places = places + np.broadcast_to(wide, shape)[key]
        step *= shape[axis]
    return np.asarray(places)


def _check(index: Array, size: int) -> None:
    """Raises the IndexError that indexing itself would raise."""
    if index.size and (index.min() < -size or index.max() >= size):
        np.empty(size, np.bool_)[index]


def surviving(shape: Size, key: Key) -> Array | None:
    """Which of the writes `a[key] = ...` no later write overwrites; None if that is all of them.

    The answer broadcasts against what `a[key]` picks.
    """
    masks = [one for one in key if one.__class__ is not slice and one.dtype == np.bool_]
    if len(masks) == sum(one.__class__ is not slice for one in key) == 1:
        return None
    indexed, axes, after = [], [], 0
    axis = 0
    for one in key:
        if one.__class__ is slice:
            axis += 1
            continue
        for part in one.nonzero() if one.dtype == np.bool_ else (one,):
            indexed.append(part)
            axes.append(axis)
            axis += 1
    if axes == list(range(axes[0], axes[0] + len(axes))):
        after = len(shape) - axes[-1] - 1
    else:
        after = len(shape) - len(axes)
    dims = tuple(shape[one] for one in axes)
    places = flat_places(dims, tuple(indexed)) if indexed[0].size else indexed[0]
    if places.size == 0:
        return None
    order = np.arange(places.size).reshape(places.shape)
    last = np.zeros(int(np.prod(dims)), np.intp)
    last[places.reshape(-1)] = order.reshape(-1)
    alive = last[places] == order
    return None if alive.all() else alive.reshape(alive.shape + (1,) * after)
