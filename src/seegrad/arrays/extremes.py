"""Kernels that find the largest, the smallest, the middle: values and where they are."""

import math
from typing import Any

import numpy as np

from seegrad.arrays import dtypes
from seegrad.arrays.reduce import Dims, axes_of, largest_of, smallest_of
from seegrad.arrays.refusals import need_numbers, need_order, refuse_complex
from seegrad.arrays.sorting import place_of_rank

Array = Any  # an ndarray, or the NumPy scalar that a ufunc makes of 0-d arrays


def need_size(self: Array, dim: int | Dims, name: str) -> None:
    """Raise where an extreme is asked of no elements."""
    if self.size:
        return
    if dim is None or dim == ():
        raise RuntimeError(
            f"{name}(): Expected reduction dim to be specified for input.numel() == 0. "
            "Specify the reduction dim with the 'dim' argument."
        )
    for one in (dim,) if isinstance(dim, int) else dim:
        if self.ndim and self.shape[one] == 0:
            raise IndexError(f"{name}(): Expected reduction dim {one} to have non-zero size.")


def max(self: Array) -> Array:
    """The largest element, or NaN."""
    need_order(self, "max_all")
    need_size(self, None, "max")
    return largest_of(self, axis=None)


def min(self: Array) -> Array:
    """The smallest element, or NaN."""
    need_order(self, "min_all")
    need_size(self, None, "min")
    return smallest_of(self, axis=None)


def amax(self: Array, dim: Dims, keepdim: bool) -> Array:
    """The largest elements over dimensions."""
    need_order(self, "max_values_cpu")
    need_size(self, dim, "amax")
    return largest_of(self, axis=axes_of(self, dim), keepdims=keepdim)


def amin(self: Array, dim: Dims, keepdim: bool) -> Array:
    """The smallest elements over dimensions."""
    need_order(self, "min_values_cpu")
    need_size(self, dim, "amin")
    return smallest_of(self, axis=axes_of(self, dim), keepdims=keepdim)


def aminmax(self: Array, dim: int | None, keepdim: bool) -> list[Array]:
    """Smallest and largest elements."""
    if dim is not None and not self.ndim:
        kind = dtypes.from_numpy(self.dtype).scalar_name
        refuse_complex(self, f"aminmax not implemented for {kind}")
    need_order(self, "aminmax_cpu")
    if dim is not None and self.ndim and self.shape[dim] == 0:
        raise IndexError(f"aminmax: Expected reduction dim {dim} to have non-zero size.")
    dims = None if dim is None else (dim,)
    return [amin(self, dims, keepdim), amax(self, dims, keepdim)]


def argmax(self: Array, dim: int | None, keepdim: bool) -> Array:
    """Where the largest element is: the first of equals, the first NaN."""
    return _argument(np.argmax, self, dim, keepdim, "argmax")


def argmin(self: Array, dim: int | None, keepdim: bool) -> Array:
    """Where the smallest element is: the first of equals, the first NaN."""
    return _argument(np.argmin, self, dim, keepdim, "argmin")


def _argument(find: Any, self: Array, dim: int | None, keepdim: bool, name: str) -> Array:
    if self.dtype.kind == "b":
        raise RuntimeError(f"{name}(): does not support bool input")
    refuse_complex(self, f"{name}(): does not support complex input")
    if self.size == 0 and dim is None:
        raise IndexError(
            f"{name}(): Expected reduction dim to be specified for input.numel() == 0."
        )
    need_size(self, dim, name)
    axis = None if self.ndim == 0 else dim
    return np.asarray(find(self, axis=axis, keepdims=keepdim), np.int64)


def max_dim(self: Array, dim: int, keepdim: bool) -> tuple[Array, Array]:
    """The largest elements along a dimension and where they are."""
    refuse_complex(self, "max(): does not support complex input")
    need_size(self, dim, "max")
    return picked(self, np.argmax(self, axis=axes_of(self, dim), keepdims=True), dim, keepdim)


def min_dim(self: Array, dim: int, keepdim: bool) -> tuple[Array, Array]:
    """The smallest elements along a dimension and where they are."""
    refuse_complex(self, "min(): does not support complex input")
    need_size(self, dim, "min")
    return picked(self, np.argmin(self, axis=axes_of(self, dim), keepdims=True), dim, keepdim)


def picked(self: Array, indices: Any, dim: int, keepdim: bool) -> tuple[Array, Array]:
    """The elements at indices that kept the dimension, and the indices."""
    if self.ndim == 0:
        return self.copy(), np.zeros((), np.int64)
    indices = np.asarray(indices, np.int64)
    values = np.take_along_axis(self, indices, dim)
    return (values, indices) if keepdim else (values.squeeze(dim), indices.squeeze(dim))


def median(self: Array) -> Array:
    """The lower of the two middle elements, or NaN; NaN of none."""
    check_median(self)
    if self.size == 0:
        return np.asarray(math.nan).astype(self.dtype)
    return median_dim(self.reshape(-1), 0, False)[0]


def median_dim(self: Array, dim: int, keepdim: bool) -> tuple[Array, Array]:
    """The lower median along a dimension and where it is; the first NaN where there is one."""
    check_median(self, "median_out")
    need_size(self, dim, "median")
    if self.ndim == 0:
        return self.copy(), np.zeros((), np.int64)
    return picked(self, median_places(self, dim, False), dim, keepdim)


def median_places(self: Array, dim: int, without_nan: bool) -> Array:
    """Where the lower medians are along a dimension: of what is no NaN, or else the first NaN."""
    missing = np.isnan(self)
    numbers = self.shape[dim] - np.sum(missing, axis=dim, keepdims=True)
    if without_nan:
        order = np.argsort(self, axis=dim, kind="stable")
        return np.take_along_axis(order, np.maximum((numbers - 1) // 2, 0), dim)
    indices = place_of_rank(self, (self.shape[dim] - 1) // 2, dim)
    first = np.argmax(missing, axis=dim, keepdims=True)
    return np.where(numbers < self.shape[dim], first, indices)


def check_median(self: Array, kernel: str = "median_cpu") -> None:
    need_order(self, kernel)
    need_numbers(self, kernel)
