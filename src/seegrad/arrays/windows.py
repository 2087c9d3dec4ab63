"""Sliding windows over the last dimensions, and their adjoint."""

from collections.abc import Iterator
from itertools import product
from math import prod
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

Array = Any  # an ndarray
Size = tuple[int, ...]
Spans = list[tuple[int, int]]  # from and to, of each dimension; beyond its ends are zeros

COLUMNS = 1 << 18  # elements that are copied at a time: what uses them finds them in the cache


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


def overlap(spans: Spans, sizes: Size) -> tuple[Any, Any]:
    """Where what there is lies in the spans, and which part of it that is."""
    target, source = [], []
    for (start, stop), size in zip(spans, sizes, strict=True):
        low = min(max(start, 0), size)
        high = max(min(stop, size), low)
        target.append(slice(low - start, high - start) if high > low else slice(0))
        source.append(slice(low, high))
    return (..., *target), (..., *source)


def stretched(self: Array, spans: Spans) -> Array:
    """The last dimensions from and to."""
    lead = self.ndim - len(spans)
    target, source = overlap(spans, self.shape[lead:])
    out = np.zeros((*self.shape[:lead], *(stop - start for start, stop in spans)), self.dtype)
    out[target] = self[source]
    return out


def columns(
    self: Array, spans: Spans, kernel: Size, stride: Size, dilation: Size
) -> Iterator[tuple[slice, Array]]:
    """Windows of a batch, (n, c, *kernel, *places) in one block, some of it at a time.

    All are copied into the same buffer, and so are the margins before.
    """
    sizes = self.shape[2:]
    large = tuple(stop - start for start, stop in spans)
    lies_within = spans == [(0, size) for size in sizes]
    each = self.shape[1] * prod(kernel) * prod(places(large, kernel, stride, dilation))
    step = min(max(1, COLUMNS // max(each, 1)), len(self))
    source = self if lies_within else np.zeros((step, self.shape[1], *large), self.dtype)
    view = windows(source, kernel, stride, dilation)
    if lies_within and view.flags.c_contiguous:  # windows of one element
        yield slice(None), view
        return
    buffer = np.empty((step, *view.shape[1:]), self.dtype)
    target, inner = overlap(spans, sizes)
    for first in range(0, len(self), max(step, 1)):
        part, many = slice(first, first + step), min(step, len(self) - first)
        if not lies_within:
            source[:many][target] = self[part][inner]
        np.copyto(buffer[:many], view[part] if lies_within else view[:many])
        yield part, buffer[:many]
