"""Many ufuncs over the same numbers go through memory a block at a time, which the cache holds."""

from collections.abc import Callable
from typing import Any

from seegrad.arrays.settings import settings

Array = Any  # an ndarray

BLOCK = 1 << 16  # elements of a block


def in_blocks(part: Callable[..., None], out: Array, *arrays: Array) -> Array:
    """Calls `part(out, *arrays)`, which writes into `out`, on a block of all at a time."""
    if not all(one.flags.c_contiguous for one in (out, *arrays)):
        part(out, *arrays)
        return out
    flat, *others = (one.reshape(-1) for one in (out, *arrays))
    for first in range(0, flat.size, BLOCK):
        span = slice(first, first + BLOCK)
        part(flat[span], *(one[span] for one in others))
    return out


def in_rows(part: Callable[..., None], dim: int, out: Array, *arrays: Array) -> Array:
    """The same for `part(dim, out, *arrays)`, which needs all elements along a dimension at once.

    Only rows, elements side by side in memory, are cut into blocks.
    """
    size = out.shape[dim]
    if (
        out.size <= BLOCK
        or dim % out.ndim < out.ndim - 1
        or not all(one.flags.c_contiguous for one in (out, *arrays))
    ):
        part(dim, out, *arrays)
        return out
    flat = [one.reshape(-1, size) for one in (out, *arrays)]
    with Unbuffered(size):
        for span in spans(len(flat[0]), size):
            part(1, *(one[span] for one in flat))
    return out


def spans(rows: int, size: int) -> list[slice]:
    """The rows of a size in blocks."""
    step = max(1, BLOCK // max(size, 1))
    return [slice(first, first + step) for first in range(0, rows, step)]


SMALL = 256  # elements of a buffer
SETTINGS, SMALL_BUFFERS = settings(SMALL)


class Unbuffered:
    """Inside, ufuncs of rows of a size and one number for each take half the time.

    NumPy writes such numbers out into a buffer, unless a row is as long as that.
    """

    def __init__(self, size: int) -> None:
        self.long = size >= SMALL

    def __enter__(self) -> None:
        if self.long:
            self.token = SETTINGS.set(SMALL_BUFFERS)

    def __exit__(self, *_: object) -> None:
        if self.long:
            SETTINGS.reset(self.token)
