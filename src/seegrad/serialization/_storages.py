"""The storages of a file: records become memory, once each, where `map_location` wants them."""

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from seegrad.arrays import dtypes
from seegrad.device import device as Device
from seegrad.serialization import _options, _texts
from seegrad.serialization._archive import Archive
from seegrad.tensor.storages import LEGACY, TypedStorage, UntypedStorage

__all__ = [
    "Storages",
    "default_restore_location",
    "location_tag",
    "register_package",
]

NO_CUDA = (
    "Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False. If "
    "you are running on a CPU-only machine, please use torch.load with "
    "map_location=torch.device('cpu') to map your storages to the CPU."
)


class Storages:
    """Finds the storages that a pickle refers to.

    Args: `archive` with the records; `map_location` as `load` takes it.
    """

    def __init__(self, archive: Archive, map_location: Any) -> None:
        self._archive = archive
        self._restore = restoring(map_location)
        self._found: dict[str, UntypedStorage] = {}
        self._is_foreign = byteorder(archive) != sys.byteorder

    def __call__(self, reference: Any) -> TypedStorage:
        """The storage for `("storage", type, key, location, number of elements)`.

        Raises: UnpicklingError for anything else, RuntimeError where the record does not fit.
        """
        try:
            _, kind, key, location, count = reference
            dtype = dtypes.uint8 if kind is UntypedStorage else LEGACY[kind.__name__].dtype
        except (TypeError, ValueError, AttributeError, KeyError):
            raise _texts.of_pickle("A storage is of no known type") from None
        if not isinstance(location, str) or type(count) is not int or type(key) not in (str, int):
            raise _texts.of_pickle("A storage has a key, a location and a number of elements")
        key = str(key)
        if key not in self._found:
            self._found[key] = self._read(key, location, count, dtype)
        return TypedStorage.of(self._found[key], dtype)

    def _read(self, key: str, location: str, count: int, dtype: dtypes.dtype) -> UntypedStorage:
        record, expected = f"data/{key}", count * dtype.itemsize
        size = self._archive.size(record)
        if size != expected:
            raise RuntimeError(
                f"record size ({size} bytes) does not match expected size ({expected} bytes = "
                f"{expected} elements * 1 bytes/element) for dtype Byte"
            )
        if _options.skipped():
            memory = np.zeros(size, np.uint8)
        else:
            memory = self._archive.array(record)
            if self._is_foreign:
                swap(memory, dtype)
        restored = self._restore(UntypedStorage(memory), location)
        if not isinstance(restored, UntypedStorage):
            raise TypeError(
                "TypedStorage.__init__ received an invalid combination of arguments. Argument "
                f"'wrap_storage' must be UntypedStorage, but got {type(restored)}"
            )
        return restored


def byteorder(archive: Archive) -> str:
    """The order of bytes in the file: 'little' or 'big'."""
    if "byteorder" not in archive:
        return _options.fallback_byteorder()
    found = archive.read("byteorder").decode("latin-1")
    if found not in ("little", "big"):
        raise ValueError(f"Unknown endianness type: {found:.20}")
    return found


def swap(memory: Any, dtype: dtypes.dtype) -> None:
    """Turns around the bytes of each number, of both parts of a complex one."""
    size = dtype.to_real().itemsize
    memory.view(f"u{size}").byteswap(inplace=True)


Tagger = Callable[[Any], str | None]
Deserializer = Callable[[Any, str], Any]


def register_package(priority: int, tagger: Tagger, deserializer: Deserializer) -> None:
    """Adds functions that say where a storage is, and that bring one there.

    Args:
        priority: functions with a lower one are asked first; the CPU's is 10.
        tagger: from a storage to the name of its location, or None.
        deserializer: from a storage and a location to a storage, or None.

    >>> import seegrad as torch
    >>> torch.serialization.register_package(
    ...     30, lambda storage: None, lambda storage, location: None
    ... )
    """
    _packages.append((priority, tagger, deserializer))
    _packages.sort(key=lambda one: one[0])


def location_tag(storage: Any) -> str:
    """The name of the location of a storage: 'cpu'."""
    for _, tagger, _ in _packages:
        found = tagger(storage)
        if found:
            return found
    raise RuntimeError(f"don't know how to determine data location of {storage.type()}")


def default_restore_location(storage: Any, location: str) -> Any:
    """The storage at the location that the file names.

    Raises RuntimeError where that is another device than the CPU.
    """
    for _, _, deserializer in _packages:
        found = deserializer(storage, location)
        if found is not None:
            return found
    raise RuntimeError(
        "don't know how to restore data location of torch.storage.UntypedStorage (tagged with "
        f"{location})"
    )


def on_cpu(storage: Any, location: str) -> Any:
    """The storage itself, for the CPU; an error for accelerators that have a name."""
    if location == "cpu":
        return storage
    if location.startswith("cuda"):
        raise RuntimeError(NO_CUDA)
    if location in ("mps", "meta", "xpu", "hpu"):
        raise RuntimeError(f"torch.UntypedStorage(): Storage device not recognized: {location}")
    return None


_packages: list[tuple[int, Tagger, Deserializer]] = [(10, lambda storage: "cpu", on_cpu)]


def restoring(map_location: Any) -> Callable[[Any, str], Any]:
    """How to bring storages where `map_location` says."""
    if map_location is None:
        return default_restore_location
    if isinstance(map_location, dict):
        return lambda storage, location: default_restore_location(
            storage, map_location.get(location, location)
        )
    if isinstance(map_location, (str, Device)):
        return lambda storage, location: default_restore_location(storage, str(map_location))

    def chosen(storage: Any, location: str) -> Any:
        found = map_location(storage, location)
        return default_restore_location(storage, location) if found is None else found

    return chosen
