"""Steps on raw arrays: in place, and block by block.

A step reads and writes several arrays of one size many times. Taken in blocks that stay in the
cache, the arrays come from memory once; and two scratch blocks are all the room a step needs.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from seegrad.graph.versions import bump
from seegrad.tensor.tensor import Tensor

__all__ = ["Scratch", "bump", "real_parts", "wide", "write_back"]

Array = np.ndarray[Any, Any]

# 4 arrays and 2 scratch blocks of this many float32 numbers fit the second-level cache.
BLOCK = 16384
_WIDE = frozenset({np.dtype(np.float32), np.dtype(np.float64)})


class Scratch:
    """Blocks to compute in, kept from step to step: one pair for each dtype."""

    def __init__(self) -> None:
        self._pairs: dict[Any, tuple[Array, Array]] = {}

    def pair(self, dtype: Any) -> tuple[Array, Array]:
        """Two blocks of BLOCK numbers."""
        pair = self._pairs.get(dtype)
        if pair is None:
            pair = self._pairs[dtype] = (np.empty(BLOCK, dtype), np.empty(BLOCK, dtype))
        return pair

    def blocks(self, *arrays: Array) -> Iterator[tuple[Array, ...]]:
        """The arrays in matching blocks, each time followed by two scratch blocks.

        Arrays that are not contiguous come whole. What is written into the blocks is written into
        the arrays.
        """
        first = arrays[0]
        if not all(array.flags.c_contiguous for array in arrays):
            yield (*arrays, np.empty_like(first), np.empty_like(first))
            return
        one, two = self.pair(first.dtype)
        size = first.size
        flat = [array.reshape(-1) for array in arrays]
        if size <= BLOCK:
            yield (*flat, one[:size], two[:size])
            return
        for start in range(0, size, BLOCK):
            end = min(start + BLOCK, size)
            parts = [array[start:end] for array in flat]
            yield (*parts, one[: end - start], two[: end - start])


def real_parts(array: Array) -> Array:
    """A complex array as a real one with a last dimension of 2 (the same memory), others as is."""
    if array.dtype.kind != "c":
        return array
    real = array.real
    strides = (*array.strides, real.itemsize)
    return np.lib.stride_tricks.as_strided(real, (*array.shape, 2), strides)


def wide(tensor: Tensor) -> Array:
    """The array to compute with: the tensor's own, or a float32 copy of half precision."""
    array = real_parts(tensor._array)
    return array if array.dtype in _WIDE else array.astype(np.float32)


def write_back(tensors: tuple[Tensor, ...], arrays: tuple[Array, ...]) -> None:
    """Round wide copies into their tensors; arrays that are the tensor's own need nothing."""
    for tensor, array in zip(tensors, arrays, strict=True):
        own = tensor._array
        if own.dtype != array.dtype and own.dtype.kind != "c":
            own[...] = array.astype(own.dtype)
