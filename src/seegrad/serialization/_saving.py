"""`save`: the pickle of an object, and the storages that its tensors look at."""

import os
import pickle
import struct
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar
from zipfile import ZIP_STORED, ZipFile, ZipInfo

import numpy as np

from seegrad.arrays import dtypes
from seegrad.arrays.size import Size
from seegrad.arrays.strides import element_strides, storage
from seegrad.device import device
from seegrad.graph.loans import unshare
from seegrad.nn.parameter import Parameter
from seegrad.serialization import _options
from seegrad.serialization._names import name_of
from seegrad.serialization._rebuilding import FUNCTIONS
from seegrad.serialization._storages import location_tag
from seegrad.tensor.conversion import layout
from seegrad.tensor.copying import extras, warn_if_has_hooks
from seegrad.tensor.sampling import Generator
from seegrad.tensor.storages import TypedStorage, UntypedStorage
from seegrad.tensor.tensor import Tensor

__all__ = ["save"]

PROTOCOL = 2
ALIGNMENT = 64
LARGE = 2**31 - 1  # from here on a zip needs its larger numbers
TWO_TYPES = "Cannot save multiple tensors or storages that view the same data as different types"
rebuild_tensor = FUNCTIONS["torch._utils._rebuild_tensor_v2"]
rebuild_parameter = FUNCTIONS["torch._utils._rebuild_parameter"]
rebuild_parameter_with_state = FUNCTIONS["torch._utils._rebuild_parameter_with_state"]
rebuild_from_type = FUNCTIONS["torch._tensor._rebuild_from_type_v2"]
get_layout = FUNCTIONS["torch.serialization._get_layout"]


def save(
    obj: object,
    f: Any,
    pickle_module: Any = pickle,
    pickle_protocol: int = PROTOCOL,
    _use_new_zipfile_serialization: bool = True,
    _disable_byteorder_record: bool = False,
) -> None:
    """Write an object to a file that `load` reads, PyTorch's `load` too.

    Tensors that share memory share it in the file. A file that is there already is replaced at
    once when all is written: if anything fails, it stays what it was.

    Args:
        f: a path, or a file that is open for writing, with `write` and `flush`.
        pickle_module: Python's own pickle.
        pickle_protocol: `load` reads weights in the protocol 2.

    Raises: RuntimeError where the folder is not there, and for tensors that look at the same
    memory as different types; PicklingError and TypeError for what cannot be pickled.

    >>> import seegrad as torch
    >>> import io
    >>> file = io.BytesIO()
    >>> torch.save({"weight": torch.ones(2)}, file)
    >>> _ = file.seek(0)
    >>> torch.load(file)
    {'weight': tensor([1., 1.])}
    """
    if pickle_module is not pickle:
        raise ValueError("seegrad saves with Python's own pickle; leave pickle_module out")
    if not _use_new_zipfile_serialization:
        raise NotImplementedError(
            "seegrad writes the zip format only, which PyTorch reads since 1.6; leave "
            "_use_new_zipfile_serialization out"
        )
    if isinstance(f, (str, os.PathLike)):
        path = os.fspath(f)
        with replacing(path) as file:
            write(obj, file, Path(path).stem, pickle_protocol, not _disable_byteorder_record)
        return
    if not hasattr(f, "write"):
        raise AttributeError(
            "expected 'f' to be string, path, or a file-like object with a 'write' attribute"
        )
    write(obj, f, "archive", pickle_protocol, not _disable_byteorder_record)
    f.flush()


@contextmanager
def replacing(path: str) -> Iterator[Any]:
    """A new file that takes the place of another one at the end, and vanishes on an error."""
    target = os.path.realpath(path)
    if os.path.exists(target) and not os.path.isfile(target):  # a pipe, /dev/null; or a folder
        with open(target, "wb") as file:
            yield file
        return
    folder = os.path.dirname(target)
    if not os.path.isdir(folder):
        raise RuntimeError(f"Parent directory {os.path.dirname(path) or '.'} does not exist.")
    beside = os.path.join(folder, f".{os.path.basename(target)[:200]}.{os.urandom(6).hex()}.tmp")
    try:
        with open(beside, "xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if os.path.exists(target):
            os.chmod(beside, os.stat(target).st_mode & 0o7777)
        os.replace(beside, target)
    except BaseException:
        if os.path.exists(beside):
            os.unlink(beside)
        raise


def write(obj: object, file: Any, folder: str, protocol: int, says_byteorder: bool) -> None:
    """Writes the archive: the pickle, the order of bytes, the storages, the version."""
    content, memories = pickled(obj, protocol)
    with ZipFile(file, "w") as archive:
        add(archive, f"{folder}/data.pkl", content)
        if says_byteorder:
            add(archive, f"{folder}/byteorder", sys.byteorder.encode())
        for key, memory in enumerate(memories):
            if _options.skipped():
                memory = np.zeros_like(memory)
            add(archive, f"{folder}/data/{key}", memory)
        add(archive, f"{folder}/version", b"3\n")


def add(archive: ZipFile, name: str, content: Any) -> None:
    """Stores a record, whose bytes begin at a multiple of 64 so that they can be mapped."""
    size = len(content)
    entry = ZipInfo(name)
    entry.compress_type = ZIP_STORED
    entry.file_size = size
    entry.external_attr = 0o600 << 16
    start = archive.fp.tell() + 30 + len(name.encode()) + 4  # type: ignore[union-attr]
    start += 20 if size >= LARGE else 0
    padding = -start % ALIGNMENT
    entry.extra = b"FB" + struct.pack("<H", padding) + b"Z" * padding
    with archive.open(entry, "w", force_zip64=size >= LARGE) as record:
        record.write(content)
    entry.extra = b""  # in the list of entries there is no need of it


def pickled(obj: object, protocol: int) -> tuple[bytes, list[Any]]:
    """The pickle of an object, and the memories that it refers to by number."""
    import io

    content = io.BytesIO()
    pickler = Pickler(content, protocol)
    pickler.dump(obj)
    return content.getvalue(), pickler.memories


_InPython: Any = pickle._Pickler  # the pickler in C writes no names but those of this process


# Classes of tensors that say themselves how they are pickled do so here too.
REDUCED_HERE = (Tensor.__reduce_ex__, Parameter.__reduce_ex__)


class Pickler(_InPython):  # type: ignore[misc]
    """Writes tensors and names as PyTorch does."""

    def __init__(self, file: Any, protocol: int) -> None:
        super().__init__(file, protocol)
        self.memories: list[Any] = []
        self._keys: dict[int, int] = {}
        self._dtypes: dict[int, dtypes.dtype] = {}

    def persistent_id(self, obj: Any) -> Any:
        """A reference for a storage, None for all else."""
        if isinstance(obj, TypedStorage):
            return self._reference(obj.untyped(), obj.dtype, obj.legacy_class())
        if isinstance(obj, UntypedStorage):
            return self._reference(obj, dtypes.uint8, UntypedStorage)
        return None

    def _reference(self, untyped: UntypedStorage, dtype: dtypes.dtype, kind: Any) -> Any:
        memory = untyped._owner
        key = self._keys.setdefault(id(memory), len(self.memories))
        if key == len(self.memories):
            self.memories.append(untyped._bytes())
        if self._dtypes.setdefault(key, dtype) is not dtype:
            raise RuntimeError(TWO_TYPES)
        count = memory.nbytes // dtype.itemsize
        return "storage", kind, str(key), location_tag(untyped), count

    def reducer_override(self, obj: Any) -> Any:
        """How to write what PyTorch has too; NotImplemented for all else."""
        if isinstance(obj, Tensor) and type(obj).__reduce_ex__ in REDUCED_HERE:
            return reduced_tensor(obj)
        if isinstance(obj, dtypes.dtype):
            return obj.name
        if isinstance(obj, Size):
            return Size, (tuple(obj),)
        if isinstance(obj, device):
            return device, (obj.type,) if obj.index is None else (obj.type, obj.index)
        if isinstance(obj, layout):
            return get_layout, (repr(obj),)
        if isinstance(obj, Generator):
            state = obj.initial_seed(), None, obj.get_state()
            return Generator, (device("cpu"),), state
        return NotImplemented

    def save_global(self, obj: Any, name: Any = None) -> None:
        """Writes the name of a class or function."""
        if isinstance(obj, dtypes.dtype):
            self._write_name(obj, "torch", obj.name)
            return
        module, qualified = name_of(obj, name)
        if module.partition(".")[0] == "torch" and "." not in qualified:
            self._write_name(obj, module, qualified)
        else:
            super().save_global(obj, name)

    def _write_name(self, obj: Any, module: str, name: str) -> None:
        if self.proto >= 4:
            self.save(module)
            self.save(name)
            self.write(pickle.STACK_GLOBAL)
        else:
            self.write(pickle.GLOBAL + f"{module}\n{name}\n".encode())
        self.memoize(obj)

    def save_type(self, obj: Any) -> None:
        """Writes the name of a class; those of None and its like have no name."""
        if obj in (type(None), type(NotImplemented), type(...)):
            super().save_type(obj)
        else:
            self.save_global(obj)

    dispatch: ClassVar[dict[type, Any]] = {
        **_InPython.dispatch,
        type: save_type,
        type(lambda: None): save_global,
    }


def reduced_tensor(tensor: Any) -> tuple[Any, ...]:
    """How to make a tensor again, in PyTorch's words."""
    from collections import OrderedDict

    if not isinstance(tensor, Parameter):
        warn_if_has_hooks(tensor)
    state = extras(tensor)
    hooks: OrderedDict[int, Any] = OrderedDict()
    parts = (*shown(tensor), tensor.requires_grad, hooks)
    if Parameter in type(tensor).__mro__:
        data = tensor.detach()
        if state:
            return rebuild_parameter_with_state, (data, tensor.requires_grad, OrderedDict(), state)
        return rebuild_parameter, (data, tensor.requires_grad, OrderedDict())
    if type(tensor) is Tensor and not state:
        return rebuild_tensor, parts
    return rebuild_from_type, (rebuild_tensor, type(tensor), parts, state)


def shown(tensor: Any) -> tuple[TypedStorage, int, tuple[int, ...], tuple[int, ...]]:
    """Storage, offset, size and strides of a tensor.

    Memory that PyTorch could not describe (steps backwards, or between elements) is copied.
    """
    unshare(tensor)
    array = tensor._array
    owner = storage(array)
    start = array.__array_interface__["data"][0] - owner.__array_interface__["data"][0]
    steps = (start, *array.strides)
    if not owner.flags.forc or any(step < 0 or step % array.itemsize for step in steps):
        array = owner = np.ascontiguousarray(array).reshape(array.shape)
        start = 0
    typed = TypedStorage.of(UntypedStorage(owner), tensor.dtype)
    offset = start // array.itemsize if array.size else 0
    return typed, offset, tuple(array.shape), tuple(element_strides(array))
