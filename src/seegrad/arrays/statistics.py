"""Kernels of statistics: medians without NaN, most frequent values, histograms."""

import math
from typing import Any

import numpy as np

from seegrad.arrays.extremes import check_median, median_places, need_size, picked
from seegrad.arrays.refusals import need_float, need_order
from seegrad.arrays.sequences import spaced

Array = Any  # an ndarray, or the NumPy scalar that a ufunc makes of 0-d arrays


def nanmedian(self: Array) -> Array:
    """The lower of the two middle elements that are no NaN; NaN of none."""
    check_median(self)
    if self.size == 0:
        return np.asarray(np.nan).astype(self.dtype)
    return nanmedian_dim(self.reshape(-1), 0, False)[0]


def nanmedian_dim(self: Array, dim: int, keepdim: bool) -> tuple[Array, Array]:
    """The same along a dimension, and where it is."""
    check_median(self, "median_out")
    need_size(self, dim, "median")
    if self.ndim == 0:
        return self.copy(), np.zeros((), np.int64)
    return picked(self, median_places(self, dim, True), dim, keepdim)


def mode(self: Array, dim: int, keepdim: bool) -> tuple[Array, Array]:
    """The most frequent value along a dimension, the smallest of several, and its last place."""
    need_order(self, "mode_cpu")
    need_size(self, dim, "mode")
    if self.ndim == 0:
        return self.copy(), np.zeros((), np.int64)
    order = np.argsort(self, dim, kind="stable")
    values = np.take_along_axis(self, order, dim)
    steps = np.arange(self.shape[dim]).reshape(-1, *(1,) * (self.ndim - dim - 1))
    lead = (slice(None),) * dim
    begins = np.ones(self.shape, np.bool_)
    begins[(*lead, slice(1, None))] = (
        values[(*lead, slice(1, None))] != values[(*lead, slice(None, -1))]
    )
    run_start = np.maximum.accumulate(np.where(begins, steps, 0), axis=dim)
    end = np.argmax(steps - run_start, axis=dim, keepdims=True)
    return picked(self, np.take_along_axis(order, end, dim), dim, keepdim)


# Histograms


def histc(self: Array, bins: int, low: float, high: float) -> Array:
    """How many elements fall into each of `bins` equal parts of a range; others count nowhere."""
    if self.dtype.kind != "b":
        need_float(self, "aminmax_cpu" if self.dtype.kind == "c" else "histogram_cpu")
    need_float(self, "linspace_cpu")
    inside = self[(self >= low) & (self <= high)]
    places = ((inside - low) * bins / (high - low)).astype(np.int64)
    counted = np.bincount(np.minimum(places, bins - 1), minlength=bins)
    return counted.astype(self.dtype)


def bin_edges(self: Array, bins: Any, limits: Any, dim: int) -> Array:
    """The edges of equal bins between limits, by default those of the elements; or given edges."""
    if isinstance(bins, np.ndarray):
        return bins.copy()
    column = self[:, dim]
    if limits:
        low, high = (float(one) for one in limits)
    else:
        low, high = (float(column.min()), float(column.max())) if column.size else (0.0, 1.0)
    if not (math.isfinite(low) and math.isfinite(high)):
        raise RuntimeError(
            f"torch.histogramdd: dimension {dim}'s range [{low:g}, {high:g}] is not finite"
        )
    if low > high:
        raise RuntimeError(
            f"torch.histogramdd: min should not exceed max, but got min {low:g} max {high:g} for "
            f"dimension {dim}"
        )
    if low == high:
        low, high = low - 0.5, high + 0.5
    return spaced(low, high, bins + 1, column.dtype)


def histogramdd(self: Array, edges: list[Array], weight: Array | None, density: bool) -> Array:
    """The number, or weight, of points (n, d) in each cell of a grid of edges; outside is nowhere.

    A cell has its lower edges, the last ones have both. With `density` the sum of all cells times
    their sizes is 1.
    """
    shape = tuple(len(row) - 1 for row in edges)
    inside = np.ones(len(self), np.bool_)
    flat = np.zeros(len(self), np.int64)
    for column, row in zip(self.T, edges, strict=True):
        inside &= (column >= row[0]) & (column <= row[-1])
        place = np.searchsorted(row, column, "right") - 1
        flat = flat * (len(row) - 1) + np.minimum(place, len(row) - 2)
    weights = None if weight is None else weight[inside].astype(np.float64)
    counted = np.bincount(flat[inside], weights, int(np.prod(shape))).reshape(shape)
    result = counted.astype(self.dtype)
    if not density:
        return result
    for axis, row in enumerate(edges):
        result = result / np.diff(row).reshape(-1, *(1,) * (len(shape) - axis - 1))
    return result / counted.sum().astype(self.dtype)
