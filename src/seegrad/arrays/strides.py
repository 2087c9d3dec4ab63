"""Views by shape and strides, and what formulas need to make arrays like others."""

from functools import lru_cache
from math import prod
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided as numpy_as_strided

Array = Any  # an ndarray; NumPy's own type is too narrow for keys and scalars
Size = tuple[int, ...]


def strided(array: Array, shape: Size, strides: Size) -> Array:
    """A view of `array` with this shape and these strides in bytes, from its first element.

    The constructor takes 0.2 us, NumPy's `as_strided` 1.9 us, but it wants one block of memory.
    """
    flags = array.flags
    if flags.c_contiguous or flags.f_contiguous:
        return np.ndarray(shape, array.dtype, array, 0, strides)
    return numpy_as_strided(array, shape, strides)


def storage(array: Array) -> Array:
    """The array that owns the memory `array` looks at, or the outermost that knows it."""
    owner, behind = array, array.base
    while behind is not None:
        owner = behind if isinstance(behind, np.ndarray) else owner
        behind = getattr(behind, "base", None)  # NumPy's `as_strided` puts a helper in between
    return owner


def storage_offset(array: Array) -> int:
    """How many elements `array` starts after the beginning of its memory."""
    start = array.__array_interface__["data"][0]
    origin = storage(array).__array_interface__["data"][0]
    return int((start - origin) // array.itemsize)


def element_strides(array: Array) -> Size:
    """The strides counted in elements, as PyTorch counts them."""
    size = array.itemsize
    if not array.size and not any(array.strides):  # NumPy's for new arrays of no elements
        return contiguous_strides(array.shape, 1)
    return tuple(stride // size for stride in array.strides)


def contiguous_strides(shape: Size, itemsize: int) -> Size:
    """The strides in bytes of a C-contiguous array."""
    strides, step = [], itemsize
    for size in reversed(shape):
        strides.append(step)
        step *= max(size, 1)
    return tuple(reversed(strides))


def dense_like(array: Array, dtype: Any) -> Array:
    """An empty array whose dimensions lie in the order of those of `array`, without gaps.

    Repeated dimensions (stride 0) have no order of their own and keep their place.
    """
    if 0 not in array.strides:
        return np.empty_like(array, dtype)
    shape, strides = array.shape, array.strides
    order = list(range(len(shape)))
    for place in range(1, len(order)):
        for left in range(place - 1, -1, -1):
            outer, inner = strides[order[left]], strides[order[left + 1]]
            if not outer or not inner:
                continue
            if outer >= inner:
                break
            order[left], order[left + 1] = order[left + 1], order[left]
    inner_shape = tuple(shape[axis] for axis in order)
    return np.empty(inner_shape, dtype).transpose(np.argsort(order))


def in_memory(array: Array, other: Array = None) -> Array:
    """`array` with its dimensions in the order of memory, outermost first: a view.

    With `other`, an array of as many dimensions, in the order of its memory.
    """
    other = array if other is None else other
    if other.flags.c_contiguous:  # the strides of dimensions of size 1 say nothing
        return array
    strides = other.strides
    return array.transpose(sorted(range(array.ndim), key=lambda axis: -strides[axis]))


def new_zeros(x: Array, shape: Size) -> Array:
    """Zeros of another shape with the type of `x`."""
    return np.zeros(shape, x.dtype)


def zeros_like(x: Array) -> Array:
    """Zeros with the shape and type of `x`, contiguous."""
    return np.zeros(x.shape, x.dtype)


def ones_like(x: Array) -> Array:
    """Ones with the shape and type of `x`, contiguous."""
    return np.ones(x.shape, x.dtype)


@lru_cache(maxsize=4096)
def summed_axes(shape: Size, target: Size) -> tuple[Size, bool]:
    """Which axes a broadcast from `target` to `shape` made, and whether some must stay as 1."""
    lead = len(shape) - len(target)
    if lead < 0:
        raise ValueError(f"a gradient of shape {list(shape)} cannot be summed to {list(target)}")
    made = [*range(lead)]
    kept = False
    for axis, size in enumerate(target, lead):
        if size != shape[axis]:
            if size != 1:
                raise ValueError(
                    f"a gradient of shape {list(shape)} cannot be summed to {list(target)}"
                )
            made.append(axis)
            kept = True
    return tuple(made), kept


# Untyped, because NumPy's types want `keepdims` to be written out as True or False.
_total: Any = np.add.reduce


def is_matrix(array: Array) -> bool:
    """Whether BLAS can read these rows as they lie."""
    return array.dtype.char in "fd" and array.flags.c_contiguous


def sum_rows(matrix: Array) -> Array:
    """The sum of the rows of what `is_matrix` says, as a product with ones.

    It takes a tenth to all of the time of `np.add.reduce`, and loses fewer digits: BLAS adds up
    several sums side by side.
    """
    rows = len(matrix)
    ones = _ones(rows, matrix.dtype.char) if rows <= 4096 else np.ones(rows, matrix.dtype)
    return ones.dot(matrix)


@lru_cache(maxsize=64)
def _ones(count: int, kind: str) -> Array:
    return np.ones(count, kind)


def sum_to(grad: Array, shape: Size) -> Array:
    """The gradient of an operand that broadcasting took from `shape` to `grad.shape`.

    The plan is remembered for each pair of shapes.
    """
    sizes = grad.shape
    if sizes == shape:
        return grad
    axes, kept = summed_axes(sizes, shape)
    if grad.itemsize == 2:  # half precision is summed in single and rounded once
        total = _total(grad.astype(np.float32), axes, None, None, kept)
        return np.asarray(total).astype(grad.dtype).reshape(shape)
    if axes == (0,) and len(sizes) == 2 and is_matrix(grad):
        total = sum_rows(grad)
        return total.reshape(shape) if kept else total
    # By position: keywords take 0.1 us.
    total = _total(grad, axes, None, None, kept)
    if kept and total.ndim != len(shape):
        return total.reshape(shape)
    return total if total.__class__ is np.ndarray else np.asarray(total)


def numel(shape: Size) -> int:
    """The number of elements of an array with this shape."""
    return prod(shape)
