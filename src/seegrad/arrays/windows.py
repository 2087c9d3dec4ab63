"""Sliding windows over the last dimensions, and their adjoint."""

from itertools import product
from math import prod
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

Array = Any  # an ndarray
Size = tuple[int, ...]


def places(sizes: Size, kernel: Size, stride: Size, dilation: Size) -> Size:
    """How many windows fit along each dimension."""
    return tuple(
        (size - step * (width - 1) - 1) // jump + 1
        for size, width, jump, step in zip(sizes, kernel, stride, dilation, strict=True)
    )


def windows(self: Array, kernel: Size, stride: Size, dilation: Size) -> Array:
    """A view (..., *kernel, *places) of (..., *sizes)."""
    lead = self.ndim - len(kernel)
    steps = self.strides[lead:]
    count = places(self.shape[lead:], kernel, stride, dilation)
    strides = (
        *self.strides[:lead],
        *(step * width for step, width in zip(steps, dilation, strict=True)),
        *(step * jump for step, jump in zip(steps, stride, strict=True)),
    )
    return as_strided(self, (*self.shape[:lead], *kernel, *count), strides)


def offsets(kernel: Size) -> Any:
    """Every place inside a window."""
    return product(*map(range, kernel))


def under(offset: Size, count: Size, stride: Size, dilation: Size) -> tuple[Any, ...]:
    """The index of what lies under one place of every window."""
    starts = (at * step for at, step in zip(offset, dilation, strict=True))
    return (
        ...,
        *(
            slice(start, start + jump * (many - 1) + 1, jump)
            for start, many, jump in zip(starts, count, stride, strict=True)
        ),
    )


def overlay(columns: Array, sizes: Size, stride: Size, dilation: Size) -> Array:
    """Windows (..., *kernel, *places) added up where they lie, (..., *sizes)."""
    depth = len(sizes)
    lead = columns.ndim - 2 * depth
    kernel, count = columns.shape[lead : lead + depth], columns.shape[lead + depth :]
    out = np.zeros((*columns.shape[:lead], *sizes), columns.dtype)
    if prod(count):
        for offset in offsets(kernel):
            out[under(offset, count, stride, dilation)] += columns[(slice(None),) * lead + offset]
    return out


def padded(self: Array, padding: Size, value: Any = 0, extra: Size = ()) -> Array:
    """Margins on both sides of the last dimensions, and `extra` more at the ends."""
    extra = extra or (0,) * len(padding)
    if not any(padding) and not any(extra):
        return self
    lead = self.ndim - len(padding)
    sizes = self.shape[lead:]
    shape = tuple(
        size + 2 * margin + more for size, margin, more in zip(sizes, padding, extra, strict=True)
    )
    out = np.full((*self.shape[:lead], *shape), value, self.dtype)
    out[inside(padding, sizes)] = self
    return out


def inside(padding: Size, sizes: Size) -> tuple[Any, ...]:
    """The index of what lies within margins."""
    return (..., *(slice(low, low + size) for low, size in zip(padding, sizes, strict=True)))
