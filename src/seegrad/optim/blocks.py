"""Steps on raw arrays: in place, and block by block.

A step reads and writes several arrays of one size many times. Taken in blocks that stay in the
cache, the arrays come from memory once; and two scratch blocks are all the room a step needs.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from seegrad.graph.tensor import wrap
from seegrad.tensor.tensor import Tensor

__all__ = ["Array", "Scratch", "add_scaled", "direction", "flat", "settle", "zeros_for"]

Array = np.ndarray[Any, Any]
Axpy = Callable[[Array, Array, int, float], Array]

# Four blocks and two scratch blocks of float32 take 1.5 MB: larger ones leave the second-level
# cache, and with smaller ones the fixed cost of a NumPy call (0.4 us) shows.
BLOCK = 65536
_WIDE = frozenset({np.dtype(np.float32), np.dtype(np.float64)})
_axpy: dict[Any, Axpy] = {}


def add_scaled(target: Array, source: Array, factor: float) -> None:
    """`target += factor * source` in place, rounded once, as PyTorch's `add_(alpha=)` does.

    Both are flat, contiguous and of the same dtype, float32 or float64.
    """
    axpy = _axpy.get(target.dtype)
    if axpy is None:
        axpy = _axpy[target.dtype] = _load_axpy(target.dtype)
    axpy(source, target, target.size, factor)


def _load_axpy(dtype: Any) -> Axpy:
    """BLAS writes into the array it is given, if that is contiguous and of its own dtype."""
    from scipy.linalg import blas  # here, because SciPy takes longer to import than all of seegrad

    return blas.saxpy if dtype == np.float32 else blas.daxpy  # type: ignore[no-any-return]


class Scratch:
    """Blocks to compute in, kept from step to step: one pair for each dtype."""

    def __init__(self) -> None:
        self._pairs: dict[Any, tuple[Array, Array]] = {}

    def blocks(self, *arrays: Array) -> Iterator[tuple[Array, ...]]:
        """Flat arrays in matching blocks, each time followed by two scratch blocks."""
        dtype, size = arrays[0].dtype, arrays[0].size
        pair = self._pairs.get(dtype)
        if pair is None:
            pair = self._pairs[dtype] = (np.empty(BLOCK, dtype), np.empty(BLOCK, dtype))
        one, two = pair
        if size <= BLOCK:
            yield (*arrays, one[:size], two[:size])
            return
        for start in range(0, size, BLOCK):
            end = min(start + BLOCK, size)
            parts = [array[start:end] for array in arrays]
            yield (*parts, one[: end - start], two[: end - start])


def flat(tensor: Tensor) -> Array:
    """The elements as a flat contiguous array of float32 or float64 to compute with.

    It is the tensor's own memory where that can be seen so; complex numbers are seen as two.
    Otherwise (half precision, other strides) it is a copy, and `settle` writes it back.
    """
    array = tensor._array
    if array.dtype in _WIDE and array.flags.c_contiguous:
        return array.reshape(-1)
    line = np.ascontiguousarray(array).reshape(-1)
    if array.dtype.kind == "c":
        return line.view(line.real.dtype)
    return line.astype(np.result_type(array.dtype, np.float32), copy=False)


def settle(tensor: Tensor, line: Array) -> None:
    """Write what `flat` gave back into the tensor, unless it was the tensor's own memory."""
    own = tensor._array
    is_own = own.dtype in _WIDE or own.dtype.kind == "c"
    if is_own and own.flags.c_contiguous:
        return
    typed = line.view(own.dtype) if own.dtype.kind == "c" else line.astype(own.dtype)
    own[...] = typed.reshape(own.shape)


def zeros_for(param: Tensor) -> Tensor:
    """State of the shape and dtype of a parameter, zero at the start."""
    array = param._array
    return wrap(np.zeros(array.shape, array.dtype))  # type: ignore[no-any-return]


def direction(grad: Array, param: Array, room: Array, decay: float, maximize: bool) -> Array:
    """The gradient with its sign and weight decay; computed in `room` where it changes."""
    if maximize:
        grad = np.negative(grad, room)
    if decay != 0:
        if grad is not room:
            np.copyto(room, grad)
        add_scaled(room, param, decay)
        return room
    return grad
