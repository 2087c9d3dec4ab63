"""Memory that a process which is forked shares with its parent: anonymous mappings.

Nothing has a name in the system, so nothing is left there by a process that was killed.
"""

import mmap
from typing import Any

import numpy as np

from seegrad.arrays.strides import storage

Array = Any  # an ndarray


def is_mapped(array: Array) -> bool:
    """Whether an array lies in a mapping, of a file or of shared memory."""
    behind = storage(array).base
    if isinstance(behind, memoryview):
        behind = behind.obj
    return isinstance(behind, mmap.mmap)


def mapped(*arrays: Array) -> list[Array]:
    """Arrays of one memory, at the same places of a shared copy of it."""
    owner = storage(arrays[0])
    memory = mmap.mmap(-1, max(owner.nbytes, 1))
    whole = np.ndarray(owner.shape, owner.dtype, memory, 0, owner.strides)
    whole[...] = owner
    begin = owner.__array_interface__["data"][0]
    return [
        np.ndarray(one.shape, one.dtype, whole, one.__array_interface__["data"][0] - begin,
                   one.strides)
        for one in arrays
    ]  # fmt: skip
