"""Kernels that reduce dimensions: sums, products, extremes, norms.

A dimension is an int, dimensions are a tuple, and both count from the front. Kernels never see
half precision, and do not care whether a full reduction comes back as a NumPy scalar.
"""

import math
from typing import Any

import numpy as np

from seegrad.arrays import dtypes
from seegrad.arrays.blocks import BLOCK
from seegrad.arrays.elementwise import sub
from seegrad.arrays.refusals import refuse_complex
from seegrad.arrays.strides import is_matrix, sum_rows

Array = Any  # an ndarray, or the NumPy scalar that a ufunc makes of 0-d arrays
Dims = tuple[int, ...] | None

# Untyped, because NumPy's types want `keepdims` to be written out as True or False.
total_of: Any = np.add.reduce
product_of: Any = np.multiply.reduce
largest_of: Any = np.maximum.reduce
smallest_of: Any = np.minimum.reduce
all_of: Any = np.logical_and.reduce
any_of: Any = np.logical_or.reduce


def axes_of(self: Array, dim: int | Dims) -> Any:
    """The axis argument of NumPy: a 0-d array has no axes, None and () mean all."""
    if self.ndim == 0 or dim is None or dim == ():
        return None
    return dim


def wide(self: Array) -> Any:
    """The type sums and products have: int64 for all integers and bools."""
    return np.int64 if self.dtype.kind in "iub" else None


# Sums


def sum(self: Array) -> Array:
    """The sum of all elements."""
    return total_of(self, None, wide(self))


def sum_dim(self: Array, dim: Dims, keepdim: bool) -> Array:
    """The sum over dimensions."""
    axes = axes_of(self, dim)
    if axes in (0, (0,)) and self.ndim == 2 and is_matrix(self):
        total = sum_rows(self)
        return total[None] if keepdim else total
    return total_of(self, axes, wide(self), None, keepdim)


LONG = 4096  # from here on sums of rows are made pairwise, which loses fewer digits


def sums(self: Array, dim: int) -> Array:
    """The sums along a dimension, which is kept; of many rows as a product with ones: faster."""
    size = self.shape[dim]
    if self.size < LONG or size > LONG or dim % self.ndim < self.ndim - 1:
        return total_of(self, dim, None, None, True)
    return np.matmul(self, np.ones((size, 1), self.dtype))


def peaks(self: Array, dim: int) -> Array:
    """The largest along a dimension, which is kept; of short rows in a tenth of the time."""
    if self.size < LONG or self.shape[dim] > 32 or dim % self.ndim < self.ndim - 1:
        return largest_of(self, dim, None, None, True)
    return largest_of(np.ascontiguousarray(np.moveaxis(self, dim, 0)), 0)[..., None]


def nansum(self: Array, dim: Dims, keepdim: bool) -> Array:
    """The sum, NaN taken as zero."""
    refuse_complex(self, "nansum on CPU does not support complex inputs")
    return sum_dim(np.where(np.isnan(self), 0, self).astype(self.dtype), dim, keepdim)


def _need_mean(self: Array) -> None:
    if self.dtype.kind in "iub":
        raise RuntimeError(
            "mean(): could not infer output dtype. Input dtype must be either a floating point or "
            f"complex dtype. Got: {dtypes.from_numpy(self.dtype).scalar_name}"
        )


def mean_backward(
    grad: Array, wanted: tuple[bool], self_shape: tuple[int, ...], self_numel: int
) -> Any:
    """The same share for each element, without an expanded array in between (Note [Fast])."""
    return (np.divide(grad, self_numel, np.empty(self_shape, grad.dtype)),)


def mean(self: Array) -> Array:
    """The mean of all elements; NaN of none."""
    _need_mean(self)
    return total_of(self, None) / self.size


def mean_dim(self: Array, dim: Dims, keepdim: bool) -> Array:
    """The mean over dimensions."""
    _need_mean(self)
    return total_of(self, axes_of(self, dim), None, None, keepdim) / count_of(self.shape, dim)


def count_of(shape: tuple[int, ...], dim: int | Dims) -> int:
    """How many elements a reduction over dimensions takes together."""
    if not shape:
        return 1
    if isinstance(dim, int):
        return shape[dim]
    if dim and len(dim) == 1:
        return shape[dim[0]]
    return math.prod(shape[one] for one in dim) if dim else math.prod(shape)


def var(self: Array, dim: Dims, correction: float | None, keepdim: bool) -> Array:
    """The variance with `n - correction` as divisor, never less than zero; real for complex."""
    apart, divisor = _deviations(self, dim, correction)
    squares = apart * apart if apart.dtype.kind == "f" else apart.real**2 + apart.imag**2
    return total_of(squares, axis=axes_of(self, dim), keepdims=keepdim) / divisor


def _need_parts(self: Array, name: str) -> None:
    if self.dtype.kind in "iub":
        raise RuntimeError(f"{name} only support floating point and complex dtypes")


def _deviations(self: Array, dim: Dims, correction: float | None) -> tuple[Array, float]:
    """How far the elements are from their mean, and what their squares are divided by."""
    _need_parts(self, "std and var")
    count = count_of(self.shape, dim)
    centre = total_of(self, axes_of(self, dim), None, None, True) / count
    divisor = max(count - (1 if correction is None else correction), 0)
    return np.asarray(self - centre), divisor


def std(self: Array, dim: Dims, correction: float | None, keepdim: bool) -> Array:
    """The square root of the variance, which may overflow where its root does not."""
    apart, divisor = _deviations(self, dim, correction)
    size = _length(apart, axes_of(self, dim), keepdim)
    return size / self.real.dtype.type(math.sqrt(divisor))


def var_mean(self: Array, dim: Dims, correction: float | None, keepdim: bool) -> list[Array]:
    """Variance and mean."""
    _need_parts(self, "var_mean")
    return [var(self, dim, correction, keepdim), mean_dim(self, dim, keepdim)]


def std_mean(self: Array, dim: Dims, correction: float | None, keepdim: bool) -> list[Array]:
    """Standard deviation and mean."""
    _need_parts(self, "std_mean")
    return [std(self, dim, correction, keepdim), mean_dim(self, dim, keepdim)]


def logsumexp(self: Array, dim: Dims, keepdim: bool) -> Array:
    """The logarithm of the sum of exponentials, without overflow; -inf of none."""
    axes = axes_of(self, dim)
    if self.size == 0:
        return np.log(total_of(np.exp(self), axis=axes, keepdims=keepdim))
    largest = np.asarray(largest_of(self.real, axis=axes, keepdims=True))
    largest = np.where(np.isinf(largest), 0, largest).astype(largest.dtype)
    total = np.log(total_of(np.exp(self - largest), axis=axes, keepdims=keepdim))
    return total + largest.reshape(np.shape(total))


def count_nonzero(self: Array, dim: Dims) -> Array:
    """How many elements are not zero."""
    return np.asarray(np.count_nonzero(self, axis=axes_of(self, dim)), np.int64)


# Products


def prod(self: Array) -> Array:
    """The product of all elements."""
    return product_of(self, axis=None, dtype=wide(self))


def prod_dim(self: Array, dim: int, keepdim: bool) -> Array:
    """The product along a dimension."""
    return product_of(self, axis=axes_of(self, dim), dtype=wide(self), keepdims=keepdim)


def _truth(self: Array, answer: Any) -> Array:
    """A bool, except for uint8, which keeps its type."""
    return np.asarray(answer, np.uint8 if self.dtype == np.uint8 else np.bool_)


def all(self: Array, dim: Dims, keepdim: bool) -> Array:
    """Whether all elements are true."""
    return _truth(self, all_of(self, axis=dim and axes_of(self, dim), keepdims=keepdim))


def any(self: Array, dim: Dims, keepdim: bool) -> Array:
    """Whether one element is true."""
    return _truth(self, any_of(self, axis=dim and axes_of(self, dim), keepdims=keepdim))


# Norms


def linalg_vector_norm(self: Array, ord: float, dim: Dims, keepdim: bool) -> Array:
    """The norm of all elements, or over dimensions, as of one long vector."""
    if self.dtype.kind not in "fc":
        raise RuntimeError(
            "linalg.vector_norm: Expected a floating point or complex tensor as input. "
            f"Got {dtypes.from_numpy(self.dtype).scalar_name}"
        )
    axes = axes_of(self, dim)
    _check_norm_size(self, ord, dim)
    if ord == 2:
        return _length(self, axes, keepdim)
    size = np.absolute(self)
    if math.isinf(ord):
        extreme: Any = np.maximum if ord > 0 else np.minimum
        initial = {"initial": 0} if ord > 0 and self.size == 0 else {}
        return extreme.reduce(size, axis=axes, keepdims=keepdim, **initial)
    if ord == 0:
        return np.asarray(np.sum(size != 0, axis=axes, keepdims=keepdim), size.dtype)
    if ord == 1:
        return total_of(size, axis=axes, keepdims=keepdim)
    return _power_norm(size, ord, axes, keepdim)


def _length(self: Array, axes: Any, keepdim: bool) -> Array:
    """The 2-norm; that of all float32 numbers is summed in float64, a block at a time."""
    if self.dtype != np.float32 or axes is not None:
        return _power_norm(np.absolute(self), 2, axes, keepdim)
    flat, total = self.reshape(-1), 0.0
    for first in range(0, flat.size, BLOCK):
        wide = flat[first : first + BLOCK].astype(np.float64)
        total += float(np.dot(wide, wide))
    return np.full((1,) * self.ndim if keepdim else (), math.sqrt(total), np.float32)


def _power_norm(size: Array, ord: float, axes: Any, keepdim: bool) -> Array:
    """`sum(size ** ord) ** (1 / ord)`; float64 is scaled by its largest element where powers
    overflow or vanish, float32 is summed in float64, where they do not."""
    wide = np.asarray(size, np.float64)
    result = _plain_power_norm(wide, ord, axes, keepdim)
    if size.dtype == np.float64 and not np.all(np.isfinite(result) & (result > 1e-150)):
        scale = largest_of(wide, axis=axes, keepdims=True, initial=0)
        scale = np.where((scale == 0) | ~np.isfinite(scale), 1.0, scale)
        scaled = _plain_power_norm(wide / scale, ord, axes, keepdim)
        result = scaled * scale.reshape(np.shape(scaled))
    return np.asarray(result).astype(size.dtype)


def _plain_power_norm(size: Array, ord: float, axes: Any, keepdim: bool) -> Array:
    if ord == 2:
        return np.sqrt(total_of(size * size, axis=axes, keepdims=keepdim))
    return np.power(total_of(np.power(size, ord), axis=axes, keepdims=keepdim), 1 / ord)


def _check_norm_size(self: Array, ord: float, dim: Dims) -> None:
    """Raise where the norm of no elements is not zero."""
    if self.size or (0 <= ord < math.inf):
        return
    start = f"linalg.vector_norm cannot compute the {ord:g} norm on "
    why = "the operation does not have an identity"
    if not dim:
        raise RuntimeError(f"{start}an empty tensor because {why}")
    for one in dim:
        if self.shape[one] == 0:
            raise RuntimeError(
                f"{start}the dimension {one}because this dimension is empty and {why}"
            )


def renorm(self: Array, p: float, dim: int, maxnorm: float) -> Array:
    """Slices along a dimension, scaled down where their norm is above a bound."""
    others = tuple(d for d in range(self.ndim) if d != dim)
    norm = linalg_vector_norm(self, p, others, True)
    factor = np.where(norm > maxnorm, maxnorm / (norm + 1e-7), 1)
    return np.asarray(self * factor.astype(norm.dtype))


def dist(self: Array, other: Array, p: float) -> Array:
    """The norm of the difference."""
    difference = np.asarray(sub(self, other))
    if self.dtype.kind not in "fc":
        raise RuntimeError(
            "norm(): input dtype should be either floating point or complex. "
            f"Got {dtypes.from_numpy(self.dtype).scalar_name} instead."
        )
    return linalg_vector_norm(difference, p, None, False)
