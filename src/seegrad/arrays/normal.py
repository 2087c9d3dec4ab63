"""Normally distributed numbers: PyTorch's, by the method of Box and Muller.

From two uniform numbers u, v the pair r cos(2 pi v), r sin(2 pi v) with r = sqrt(-2 log(1 - u)) is
made. PyTorch does it in two ways, and so do we: fewer than 16 numbers one after the other in
float64, where the second of a pair waits in the generator for the next call; from 16 on in blocks.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from seegrad.arrays import dtypes, single
from seegrad.arrays.dtypes import NumpyDtype, dtype
from seegrad.arrays.generators import Generator, chosen
from seegrad.arrays.random import multiply_add, not_implemented, unit32, unit64

Array = np.ndarray[Any, Any]

BLOCK: Final = 16
CHUNK: Final = BLOCK * 2048  # stays in the processor's cache: a million numbers 54 -> 36 ms


def normal(
    generator: Generator | None,
    shape: Sequence[int],
    np_dtype: NumpyDtype,
    mean: float = 0.0,
    std: float = 1.0,
    *,
    contiguous: bool = True,
) -> Array:
    """Return normally distributed numbers of any floating or complex type.

    `contiguous=False` is for filling a tensor that is not contiguous, where PyTorch takes the slow
    way whatever the size, and fills in the order of memory. In a complex number
    each part has standard deviation std / sqrt(2).
    Raises `RuntimeError` for negative `std`, `NotImplementedError` for integers.
    """
    if not std >= 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")
    of = dtypes.from_numpy(np_dtype)
    if of.is_complex:
        part = normal(
            generator,
            (*shape, 2),
            of.to_real().numpy,
            mean,
            std / math.sqrt(2),
            contiguous=contiguous,
        )
        return part.view(np_dtype)[..., 0]
    if not of.is_floating_point:
        if not math.prod(shape):
            return np.empty(shape, np_dtype)
        not_implemented("normal_kernel_cpu", of)
    count = math.prod(shape)
    stream = chosen(generator)
    if count < BLOCK or not contiguous:
        drawn = multiply_add(_one_by_one(stream, count), std, mean)
    else:
        drawn = _in_blocks(stream, count, of, mean, std)
    return drawn.astype(np_dtype, copy=False).reshape(shape)


def log_normal(
    generator: Generator | None,
    shape: Sequence[int],
    np_dtype: NumpyDtype,
    mean: float = 1.0,
    std: float = 2.0,
) -> Array:
    """Return numbers whose logarithms are normally distributed, of a floating type.

    Raises `RuntimeError` unless `std` is positive, `NotImplementedError` for other types.
    """
    if not std > 0:
        raise RuntimeError(f"log_normal_ expects std > 0.0, but found std={std:g}")
    of = dtypes.from_numpy(np_dtype)
    if not of.is_floating_point:
        not_implemented("log_normal_cpu", of)
    logarithms = multiply_add(_one_by_one(chosen(generator), math.prod(shape)), std, mean)
    drawn = np.array([math.exp(one) for one in logarithms.tolist()])
    numbers: Array = drawn.astype(np_dtype, copy=False).reshape(shape)
    return numbers


def _one_by_one(generator: Generator, count: int) -> Array:
    """Return `count` numbers of float64, beginning with the one that waited."""
    if count == 0:
        return np.empty(0)
    drawn = [] if generator.next_normal is None else [generator.next_normal]
    pairs = (count - len(drawn) + 1) // 2
    numbers = iter(unit64(generator, 2 * pairs).tolist())
    # math and not NumPy: its functions are those PyTorch calls, to the last bit.
    for v, u in zip(numbers, numbers, strict=True):
        radius = math.sqrt(-2.0 * math.log1p(-u))
        drawn += [radius * math.cos(2 * math.pi * v), radius * math.sin(2 * math.pi * v)]
    generator.next_normal = drawn.pop() if len(drawn) > count else None
    return np.array(drawn)


def _in_blocks(generator: Generator, count: int, of: dtype, mean: float, std: float) -> Array:
    """Return `count` numbers, 16 or more; the last 16 are drawn anew where 16 does not divide."""
    source = unit64 if of is dtypes.float64 else unit32
    whole = count - count % BLOCK
    drawn = np.empty(count, np.float64 if of is dtypes.float64 else np.float32)
    # Single and double precision draw for the incomplete block too; half precision does not.
    unit = source(generator, whole if of.itemsize == 2 else count)
    for start in range(0, whole, CHUNK):
        stop = min(start + CHUNK, whole)
        drawn[start:stop] = _box_muller(unit[start:stop], mean, std)
    if whole < count:
        drawn[-BLOCK:] = _box_muller(source(generator, BLOCK), mean, std)
    return drawn


def _box_muller(unit: Array, mean: float, std: float) -> Array:
    """Turn uniform numbers, shape (16 n,), into normal ones: 8 for u, then 8 for v in a block."""
    blocks = unit.reshape(-1, 2, BLOCK // 2)
    angle = blocks[:, 1] * unit.dtype.type(2 * math.pi)
    if unit.dtype == np.float32:
        logarithm = single.log(1 - blocks[:, 0])
        sine, cosine = single.sin_cos(angle)
    else:
        logarithm = np.log(1 - blocks[:, 0])
        sine, cosine = np.sin(angle), np.cos(angle)
    radius = np.sqrt(-2 * logarithm)
    pairs = np.stack([radius * cosine, radius * sine], axis=1).reshape(-1)
    scale, shift = unit.dtype.type(std), unit.dtype.type(mean)
    return multiply_add(pairs, float(scale), float(shift))
