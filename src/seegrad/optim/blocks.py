"""Steps on raw arrays: in place, and block by block.

A step reads and writes several arrays of one size many times. Taken in blocks that stay in the
cache, the arrays come from memory once; and two scratch blocks are all the room a step needs.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from seegrad.graph.tensor import wrap
from seegrad.optim.kernels import Array
from seegrad.tensor.tensor import Tensor

__all__ = ["Scratch", "zeros_for"]

Blocks = Iterator[tuple[tuple[Array, Array], list[Array]]]

# Four blocks and two scratch blocks of float32 take 1.5 MB: larger ones leave the second-level
# cache, and with smaller ones the fixed cost of a NumPy call (0.4 us) shows.
BLOCK = 65536
# What is computed in, by the dtype that is stored; complex numbers are seen as two.
_WIDE = {
    np.dtype(np.float32): np.dtype(np.float32),
    np.dtype(np.float64): np.dtype(np.float64),
    np.dtype(np.complex64): np.dtype(np.float32),
    np.dtype(np.complex128): np.dtype(np.float64),
}


class Scratch:
    """Blocks to compute in, kept from step to step: one pair for each dtype."""

    def __init__(self) -> None:
        self._pairs: dict[Any, tuple[Array, Array]] = {}
        self._wholes: dict[Any, Array] = {}

    def whole(self, array: Array) -> Array:
        """One scratch array of the shape and dtype of an array; it is shared by all such."""
        key = (array.shape, array.dtype)
        room = self._wholes.get(key)
        if room is None:
            room = self._wholes[key] = np.empty(array.shape, array.dtype)
        return room

    def blocks(self, arrays: list[Array]) -> Blocks:
        """Two scratch blocks, and matching flat blocks of the arrays, of float32 or float64.

        What is written into a block is written into its array, but for the first (the gradient).
        """
        first = arrays[0]
        dtype, size = first.dtype, first.size
        wide = _WIDE.get(dtype)
        if size == 0:  # BLAS takes no empty arrays
            return
        for array in arrays:
            if array.dtype is not wide or not array.flags.c_contiguous:
                yield from self._loose_blocks(arrays)
                return
        one, two = self._rooms(wide)
        lines = [array.reshape(-1) for array in arrays]
        if size <= BLOCK:
            yield (one[:size], two[:size]), lines
            return
        for start in range(0, size, BLOCK):
            parts = [line[start : start + BLOCK] for line in lines]
            yield (one[: parts[0].size], two[: parts[0].size]), parts

    def _rooms(self, wide: Any) -> tuple[Array, Array]:
        pair = self._pairs.get(wide)
        if pair is None:
            pair = self._pairs[wide] = (np.empty(BLOCK, wide), np.empty(BLOCK, wide))
        return pair

    def _loose_blocks(self, arrays: list[Array]) -> Blocks:
        """As `blocks`, for any arrays: parts that are no views are written back afterwards."""
        dtype = arrays[1].dtype  # of the parameter
        wide = _WIDE.get(dtype, np.dtype(np.float32))
        if dtype.kind in "biu":
            raise RuntimeError(
                "optimizers step parameters of floating point or complex dtype only"
            )
        one, two = self._rooms(wide)
        lines = _lines(arrays)
        count = BLOCK // 2 if dtype.kind == "c" else BLOCK
        for start in range(0, arrays[0].size, count):
            ends = slice(start, start + count)
            parts = [_part(line[ends], wide) for line in lines]
            yield (one[: parts[0].size], two[: parts[0].size]), parts
            for line, part in zip(lines[1:], parts[1:], strict=True):
                if not np.may_share_memory(line[ends], part):
                    line[ends] = part.view(dtype) if dtype.kind == "c" else part.astype(dtype)


def _lines(arrays: list[Array]) -> list[Any]:
    """The arrays in matching flat order: views where they can be seen so, else iterators."""
    strides = arrays[1].strides
    order = sorted(range(arrays[1].ndim), key=lambda axis: -abs(strides[axis]))
    turned = [array.transpose(order) for array in arrays]
    return [a.reshape(-1) if a.flags.c_contiguous else a.flat for a in turned]


def _part(part: Array, wide: Any) -> Array:
    """A block as real numbers to compute with: itself, or a copy."""
    if part.dtype.kind == "c":
        part = part.view(part.real.dtype)
    return part.astype(wide, copy=False)


def zeros_for(param: Tensor) -> Tensor:
    """State of the shape, dtype and layout of a parameter, zero at the start."""
    return wrap(np.zeros_like(param._array))  # type: ignore[no-any-return]
