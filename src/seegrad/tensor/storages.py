"""The memory of tensors as objects: `UntypedStorage` is bytes, `TypedStorage` elements.

Both look at an array that owns its memory; every call of `untyped_storage()` makes a new look.
"""

import mmap
import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from seegrad.arrays import dtypes
from seegrad.arrays.shared import is_mapped
from seegrad.device import device as Device
from seegrad.device import require_cpu
from seegrad.ops.once import warn_once
from seegrad.tensor.data import array_of

__all__ = [
    "LEGACY",
    "BFloat16Storage",
    "BoolStorage",
    "ByteStorage",
    "CharStorage",
    "ComplexDoubleStorage",
    "ComplexFloatStorage",
    "DoubleStorage",
    "FloatStorage",
    "HalfStorage",
    "IntStorage",
    "LongStorage",
    "ShortStorage",
    "TypedStorage",
    "UntypedStorage",
    "warn_of_typed",
]

DEPRECATED = (
    "TypedStorage is deprecated. It will be removed in the future and UntypedStorage will be the "
    "only storage class. This should only matter to you if you are using storages directly.  To "
    "access UntypedStorage directly, use tensor.untyped_storage() instead of tensor.storage()"
)


def warn_of_typed() -> None:
    """Says once that typed storages are deprecated."""
    warn_once(DEPRECATED)


class UntypedStorage:
    """The bytes that a tensor and its views share; of a size, or of numbers, when made by hand.

    >>> import seegrad as torch
    >>> x = torch.zeros(4)
    >>> x[2:].untyped_storage().nbytes()
    16
    >>> torch.UntypedStorage([1, 2]).tolist()
    [1, 2]
    """

    __module__ = "torch.storage"

    def __init__(self, size: Any = 0, *, device: Any = None) -> None:
        require_cpu(device)
        if isinstance(size, np.ndarray):
            self._owner = size
        elif isinstance(size, int):
            self._owner = np.empty(size, np.uint8)
        else:
            self._owner = np.array(size, np.uint8)

    @staticmethod
    def from_file(filename: Any, shared: bool = False, nbytes: int = 0) -> "UntypedStorage":
        """The first bytes of a file, mapped: they are read when they are looked at.

        `shared`: what is written goes to the file, which is made, or grows to `nbytes`, where
        needed; otherwise it stays in memory. Raises RuntimeError for a file that is not there or
        too small.
        """
        name, mode = f"<{filename}>", "read-write" if shared else "read-only"
        if nbytes < 0:
            raise RuntimeError(
                f"unable to mmap {nbytes} bytes from file {name}: Cannot allocate memory (12)"
            )
        try:
            place = os.open(filename, os.O_RDWR | os.O_CREAT if shared else os.O_RDONLY, 0o600)
        except OSError as error:
            why = f"{error.strerror} ({error.errno})"
            raise RuntimeError(f"unable to open file {name} in {mode} mode: {why}") from None
        try:
            size = os.fstat(place).st_size
            if size < nbytes and not shared:
                raise RuntimeError(
                    f"file {name} size <{size}> is smaller than the required mapping size "
                    f"<{nbytes}>"
                )
            if size < nbytes:
                os.truncate(place, nbytes)
            if not nbytes:
                return UntypedStorage(0)
            access = mmap.ACCESS_WRITE if shared else mmap.ACCESS_COPY
            return UntypedStorage(np.frombuffer(mmap.mmap(place, nbytes, access=access), np.uint8))
        finally:
            os.close(place)

    def _elements(self, kind: Any) -> Any:
        """All elements, of a dtype of NumPy's, in the order of memory."""
        return np.ndarray((self._owner.nbytes // kind.itemsize,), kind, self._owner)

    def _bytes(self) -> Any:
        return self._elements(np.dtype(np.uint8))

    def data_ptr(self) -> int:
        """The address of the first byte."""
        return int(self._owner.__array_interface__["data"][0]) if self._owner.size else 0

    def nbytes(self) -> int:
        """How many bytes there are."""
        return int(self._owner.nbytes)

    size = __len__ = nbytes

    def element_size(self) -> int:
        """The bytes of one element: one."""
        return 1

    @property
    def device(self) -> Device:
        """Where the memory is: the CPU."""
        return Device("cpu")

    is_cuda = False

    def is_shared(self) -> bool:
        """Whether the memory is that of `share_memory_`, or of a file."""
        return is_mapped(self._bytes())

    def is_pinned(self, device: Any = "cuda") -> bool:
        """Whether the memory is pinned for an accelerator: False."""
        return False

    def untyped(self) -> "UntypedStorage":
        """The storage itself."""
        return self

    def cpu(self) -> "UntypedStorage":
        """The storage itself."""
        return self

    def clone(self) -> "UntypedStorage":
        """A copy of the bytes."""
        return UntypedStorage(self._bytes().copy())

    def copy_(self, source: Any, non_blocking: Any = None) -> "UntypedStorage":
        """Takes over the bytes of another storage of the same size."""
        self._bytes()[...] = source.untyped()._bytes()
        return self

    def fill_(self, value: int) -> "UntypedStorage":
        """Sets all bytes to one value."""
        self._bytes()[...] = value
        return self

    def type(self, dtype: Any = None, non_blocking: bool = False) -> str:
        """The name of the class."""
        return "torch.storage.UntypedStorage"

    def tolist(self) -> list[int]:
        """The bytes as numbers."""
        return list(self._owner.tobytes("A"))

    def __iter__(self) -> Iterator[int]:
        return iter(self.tolist())

    def __getitem__(self, index: Any) -> Any:
        found = self._bytes()[index]
        return UntypedStorage(found) if isinstance(index, slice) else int(found)

    def __setitem__(self, index: Any, value: Any) -> None:
        self._bytes()[index] = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, UntypedStorage) and other._owner is self._owner

    def __hash__(self) -> int:
        return hash(id(self._owner))

    def __copy__(self) -> "UntypedStorage":
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> "UntypedStorage":
        # Under the same key as tensors that look at this memory: they share it again.
        if id(self._owner) not in memo:
            memo[id(self._owner)] = self._owner.copy(order="K")
        return UntypedStorage(memo[id(self._owner)])

    def __reduce__(self) -> tuple[Any, ...]:
        return _untyped, (self._owner,)

    def __repr__(self) -> str:
        lines = "".join(f" {byte}\n" for byte in self.tolist())
        return f"{lines}[torch.storage.UntypedStorage(device=cpu) of size {self.nbytes()}]"


class TypedStorage:
    """The elements that a tensor and its views share. Deprecated; `torch.FloatStorage` is one.

    >>> import seegrad as torch
    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     torch.TypedStorage([1, 2], dtype=torch.int32).nbytes()
    8
    """

    __module__ = "torch.storage"

    dtype: dtypes.dtype
    _untyped_storage: UntypedStorage

    def __init__(
        self, size: Any = 0, *, wrap_storage: Any = None, dtype: Any = None, device: Any = None
    ) -> None:
        warn_of_typed()
        require_cpu(device)
        self.dtype = dtype or getattr(type(self), "dtype", None) or dtypes.get_default_dtype()
        if wrap_storage is not None:
            if not isinstance(wrap_storage, UntypedStorage):
                raise TypeError(
                    f"Argument 'wrap_storage' must be UntypedStorage, but got {type(wrap_storage)}"
                )
            self._untyped_storage = wrap_storage
        elif isinstance(size, int):
            self._untyped_storage = UntypedStorage(np.empty(size, self.dtype.numpy))
        else:
            self._untyped_storage = UntypedStorage(array_of(size, self.dtype).ravel())

    @classmethod
    def of(cls, untyped: UntypedStorage, dtype: dtypes.dtype) -> "TypedStorage":
        """These bytes as elements, without a word on what is deprecated."""
        made = object.__new__(TypedStorage)
        made.dtype, made._untyped_storage = dtype, untyped
        return made

    def _array(self) -> Any:
        return self._untyped_storage._elements(self.dtype.numpy)

    def legacy_class(self) -> Any:
        """The class of old for this dtype: `torch.FloatStorage`."""
        return LEGACY[f"{self.dtype.scalar_name}Storage"]

    def untyped(self) -> UntypedStorage:
        """The bytes."""
        return self._untyped_storage

    def size(self) -> int:
        """How many elements there are."""
        return int(self._untyped_storage.nbytes() // self.dtype.itemsize)

    __len__ = size

    def nbytes(self) -> int:
        """How many bytes there are."""
        return self._untyped_storage.nbytes()

    def data_ptr(self) -> int:
        """The address of the first byte."""
        return self._untyped_storage.data_ptr()

    def element_size(self) -> int:
        """The bytes of one element."""
        return self.dtype.itemsize

    @property
    def device(self) -> Device:
        """Where the memory is: the CPU."""
        return Device("cpu")

    is_cuda = False

    def is_shared(self) -> bool:
        """Whether the memory is that of `share_memory_`, or of a file."""
        return self._untyped_storage.is_shared()

    def is_pinned(self, device: Any = "cuda") -> bool:
        """Whether the memory is pinned for an accelerator: False."""
        return False

    def pickle_storage_type(self) -> str:
        """The name that files call this kind by: 'FloatStorage'."""
        return str(self.legacy_class().__name__)

    def type(self, dtype: Any = None, non_blocking: bool = False) -> str:
        """The name of the class of old: 'torch.FloatStorage'."""
        return f"torch.{self.pickle_storage_type()}"

    def cpu(self) -> "TypedStorage":
        """The storage itself."""
        return self

    def clone(self) -> "TypedStorage":
        """A copy of the elements."""
        return TypedStorage.of(self._untyped_storage.clone(), self.dtype)

    def copy_(self, source: Any, non_blocking: Any = None) -> "TypedStorage":
        """Takes over the elements of another storage of the same length."""
        self._array()[...] = source._array()
        return self

    def fill_(self, value: Any) -> "TypedStorage":
        """Sets all elements to one value."""
        self._array()[...] = value
        return self

    def tolist(self) -> list[Any]:
        """The elements as numbers."""
        found: list[Any] = self._array().tolist()
        return found

    def __iter__(self) -> Iterator[Any]:
        return iter(self.tolist())

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            raise RuntimeError("slices are only supported in UntypedStorage.__getitem__")
        return self._array()[index].item()

    def __setitem__(self, index: Any, value: Any) -> None:
        self._array()[index] = value

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, TypedStorage)
            and other.dtype is self.dtype
            and other._untyped_storage == self._untyped_storage
        )

    def __hash__(self) -> int:
        return hash(self._untyped_storage)

    def __reduce__(self) -> tuple[Any, ...]:
        return _typed, (self._untyped_storage, self.dtype)

    def __repr__(self) -> str:
        lines = "".join(f" {element}\n" for element in self.tolist())
        return (
            f"{lines}[torch.storage.TypedStorage(dtype={self.dtype}, device=cpu) of size "
            f"{self.size()}]"
        )


def _untyped(owner: Any) -> UntypedStorage:
    """A storage out of a pickle."""
    return UntypedStorage(owner)


def _typed(untyped: UntypedStorage, dtype: dtypes.dtype) -> TypedStorage:
    """A storage out of a pickle."""
    return TypedStorage.of(untyped, dtype)


class _LegacyStorageMeta(type):
    """`isinstance(storage, FloatStorage)` asks for the dtype."""

    dtype: dtypes.dtype

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, TypedStorage) and instance.dtype is cls.dtype

    def __call__(cls, *args: Any, **options: Any) -> Any:
        """A typed storage of this dtype."""
        return TypedStorage(*args, dtype=cls.dtype, **options)


def _legacy(dtype: dtypes.dtype) -> Any:
    """The class of old for a dtype."""
    doc = f"Storages of {dtype} elements; deprecated."
    body = {"dtype": dtype, "__module__": "torch", "__doc__": doc, "is_cuda": False}
    return _LegacyStorageMeta(f"{dtype.scalar_name}Storage", (), body)


BFloat16Storage = _legacy(dtypes.bfloat16)
BoolStorage = _legacy(dtypes.bool_)
ByteStorage = _legacy(dtypes.uint8)
CharStorage = _legacy(dtypes.int8)
ComplexDoubleStorage = _legacy(dtypes.complex128)
ComplexFloatStorage = _legacy(dtypes.complex64)
DoubleStorage = _legacy(dtypes.float64)
FloatStorage = _legacy(dtypes.float32)
HalfStorage = _legacy(dtypes.float16)
IntStorage = _legacy(dtypes.int32)
LongStorage = _legacy(dtypes.int64)
ShortStorage = _legacy(dtypes.int16)

LEGACY: dict[str, Any] = {
    one.__name__: one
    for one in (
        BFloat16Storage,
        BoolStorage,
        ByteStorage,
        CharStorage,
        ComplexDoubleStorage,
        ComplexFloatStorage,
        DoubleStorage,
        FloatStorage,
        HalfStorage,
        IntStorage,
        LongStorage,
        ShortStorage,
    )
}
