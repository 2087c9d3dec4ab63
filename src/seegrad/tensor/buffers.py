"""Tensors on memory of others, and in an order of dimensions that is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from seegrad.arrays.strides import contiguous_strides
from seegrad.ops.once import warn_once
from seegrad.ops.views import int_tuple
from seegrad.tensor.creation import as_dtype, empty_strided, finished, size_of

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

__all__ = ["empty_permuted", "frombuffer"]

NOT_WRITABLE = (
    "The given buffer is not writable, and PyTorch does not support non-writable tensors. This "
    "means you can write to the underlying (supposedly non-writable) buffer using the tensor. You "
    "may want to copy the buffer to protect its data or make it writable before converting it to "
    "a tensor. This type of warning will be suppressed for the rest of this program."
)


def empty_permuted(
    size: Any,
    physical_layout: Any,
    *,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Return a tensor of the given size, not initialised, whose dimensions lie in a given order.

    `physical_layout`: each dimension once, the one that varies fastest in memory last. Raises
    RuntimeError where one is missing or twice.

    >>> import seegrad as torch
    >>> torch.empty_permuted((2, 3, 4), (0, 2, 1)).stride()
    (12, 1, 3)
    """
    order, ndim = int_tuple(physical_layout), len(size)
    if ndim != len(order):
        raise RuntimeError(
            "Number of dimensions in size does not match the length of the physical_layout; i.e. "
            f"len(size) = {ndim} is not equal to len(physical_layout) = {len(order)}"
        )
    for place, dim in enumerate(order):
        if not 0 <= dim < ndim:
            raise RuntimeError(
                f"Dimension out of range (expected to be between 0 and {ndim - 1}, but got {dim} "
                f"at index {place}).  NB: negative dims not currently supported; file an issue if "
                "you want it."
            )
        if dim in order[:place]:
            raise RuntimeError("Duplicate dim not allowed")
    inner = size_of("empty_permuted", (tuple(size[dim] for dim in order),))
    steps = dict(zip(order, contiguous_strides(inner, 1), strict=True))
    stride = tuple(steps[dim] for dim in range(ndim))
    return empty_strided(size, stride, dtype=dtype, device=device, requires_grad=requires_grad)


def frombuffer(
    buffer: Any, *, dtype: Any, count: int = -1, offset: int = 0, requires_grad: bool = False
) -> Tensor:
    """Return a vector on the memory of an object with Python's buffer protocol.

    `count`: how many elements, all if negative. `offset`: the bytes to leave out. Raises
    ValueError where they do not fit.

    >>> import seegrad as torch
    >>> torch.frombuffer(bytearray([1, 0, 2, 0]), dtype=torch.int16)
    tensor([1, 2], dtype=torch.int16)
    """
    try:
        memory = memoryview(buffer)
    except TypeError:
        raise ValueError("object does not implement Python buffer protocol.") from None
    if not memory.c_contiguous:
        raise RuntimeError("could not retrieve buffer from object")
    if memory.readonly:
        warn_once(NOT_WRITABLE)
    kind = as_dtype(dtype).numpy  # type: ignore[union-attr]
    check_extent(memory.nbytes, kind.itemsize, count, offset)
    return finished(np.frombuffer(memory, kind, max(count, -1), offset), requires_grad)


def check_extent(length: int, item: int, count: int, offset: int) -> None:
    """Raises ValueError where a buffer does not hold what is asked of it."""
    if not length or not count:
        raise ValueError(f"both buffer length ({length}) and count ({count}) must not be 0")
    if not 0 <= offset < length:
        raise ValueError(
            f"offset ({offset} bytes) must be non-negative and no greater than buffer length "
            f"({length} bytes) minus 1"
        )
    if count < 0 and (length - offset) % item:
        raise ValueError(
            f"buffer length ({length} bytes) after offset ({offset} bytes) must be a multiple of "
            f"element size ({item})"
        )
    if count * item > length - offset:
        raise ValueError(
            f"requested buffer length ({count} * {item} bytes) after offset ({offset} bytes) must "
            f"not be greater than actual buffer length ({length} bytes)"
        )
