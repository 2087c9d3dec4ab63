"""What can be set for all files: byte order, mapping, checksums, skipping of data."""

import mmap
import sys
from contextvars import ContextVar
from enum import Enum
from types import TracebackType
from typing import Any

__all__ = [
    "LoadEndianness",
    "get_crc32_options",
    "get_default_load_endianness",
    "get_default_mmap_options",
    "set_crc32_options",
    "set_default_load_endianness",
    "set_default_mmap_options",
    "skip_data",
]


class LoadEndianness(Enum):
    """The order of bytes in files that do not say it."""

    NATIVE = 1
    LITTLE = 2
    BIG = 3


_endianness: LoadEndianness | None = None
_computes_crc32 = True
_mapping: int | None = getattr(mmap, "MAP_PRIVATE", None)  # Windows has none
_skipping: ContextVar[bool] = ContextVar("skipping", default=False)


def get_default_load_endianness() -> LoadEndianness | None:
    """The order of bytes that is assumed for files that do not say it; None is this machine's.

    >>> import seegrad as torch
    >>> torch.serialization.get_default_load_endianness()
    """
    return _endianness


def set_default_load_endianness(endianness: LoadEndianness | None) -> None:
    """Sets the order of bytes that is assumed for files that do not say it.

    Raises TypeError for what is no LoadEndianness.

    >>> import seegrad as torch
    >>> torch.serialization.set_default_load_endianness(None)
    """
    global _endianness
    if endianness is not None and not isinstance(endianness, LoadEndianness):
        raise TypeError("Invalid argument type in function set_default_load_endianness")
    _endianness = endianness


def fallback_byteorder() -> str:
    """The order for a file that does not say it: 'little' or 'big'."""
    orders = {LoadEndianness.LITTLE: "little", LoadEndianness.BIG: "big"}
    return sys.byteorder if _endianness is None else orders.get(_endianness, sys.byteorder)


def get_crc32_options() -> bool:
    """What `set_crc32_options` said.

    >>> import seegrad as torch
    >>> torch.serialization.get_crc32_options()
    True
    """
    return _computes_crc32


def set_crc32_options(compute_crc32: bool) -> None:
    """Remembers whether checksums are wanted; `save` writes them always.

    >>> import seegrad as torch
    >>> torch.serialization.set_crc32_options(True)
    """
    global _computes_crc32
    _computes_crc32 = compute_crc32


def get_default_mmap_options() -> int | None:
    """How `load(..., mmap=True)` maps files: `mmap.MAP_PRIVATE` unless set otherwise.

    >>> import seegrad as torch, mmap
    >>> torch.serialization.get_default_mmap_options() == mmap.MAP_PRIVATE
    True
    """
    return _mapping


class set_default_mmap_options:
    """Sets how `load(..., mmap=True)` maps files, in a `with` for a while.

    Args: `flags`: `mmap.MAP_PRIVATE`, where writes stay in memory, or `mmap.MAP_SHARED`, where
    they go to the file. Raises ValueError for others.

    >>> import seegrad as torch, mmap
    >>> with torch.serialization.set_default_mmap_options(mmap.MAP_SHARED):
    ...     pass
    """

    def __init__(self, flags: int) -> None:
        global _mapping
        if flags not in (mmap.MAP_PRIVATE, mmap.MAP_SHARED):
            raise ValueError(
                "Invalid argument in function set_default_mmap_options, expected mmap.MAP_PRIVATE "
                f"or mmap.MAP_SHARED, but got {flags}"
            )
        self.prev = _mapping
        _mapping = flags

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: Any) -> None:
        global _mapping
        _mapping = self.prev


class skip_data:
    """A context in which `save` leaves the room of the data empty, and `load` reads none.

    >>> import seegrad as torch
    >>> import io
    >>> file = io.BytesIO()
    >>> with torch.serialization.skip_data():
    ...     torch.save(torch.ones(3), file)
    >>> _ = file.seek(0)
    >>> torch.load(file)
    tensor([0., 0., 0.])
    """

    def __init__(self, materialize_fake_tensors: bool = False) -> None:
        self.materialize_fake_tensors = materialize_fake_tensors

    def __enter__(self) -> None:
        self._token = _skipping.set(True)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        _skipping.reset(self._token)


def skipped() -> bool:
    """Whether `skip_data` is on."""
    return _skipping.get()
