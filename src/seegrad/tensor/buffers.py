"""Tensors on memory of others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from seegrad.arrays.dtypes import get_default_dtype
from seegrad.ops.once import warn_once
from seegrad.tensor.creation import as_dtype, finished
from seegrad.tensor.storages import UntypedStorage

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

__all__ = ["from_file", "frombuffer"]

NOT_WRITABLE = (
    "The given buffer is not writable, and PyTorch does not support non-writable tensors. This "
    "means you can write to the underlying (supposedly non-writable) buffer using the tensor. You "
    "may want to copy the buffer to protect its data or make it writable before converting it to "
    "a tensor. This type of warning will be suppressed for the rest of this program."
)


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


def from_file(
    filename: str,
    shared: bool | None = None,
    size: int | None = 0,
    *,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool | None = False,
) -> Tensor:
    """Return a vector on the memory of a file, which is read when it is looked at.

    `shared`: whether what is written to the tensor is written to the file, which is made, or made
    longer, where needed. `size`: how many elements. Raises RuntimeError for a file that is not
    there or too short.

    >>> import seegrad as torch
    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "numbers")
    >>> torch.from_file(str(path), shared=True, size=3)[0] = 7
    >>> torch.from_file(str(path), size=2)
    tensor([7., 0.])
    """
    kind = (as_dtype(dtype) or get_default_dtype()).numpy
    storage = UntypedStorage.from_file(filename, bool(shared), (size or 0) * kind.itemsize)
    return finished(storage._elements(kind), requires_grad)
