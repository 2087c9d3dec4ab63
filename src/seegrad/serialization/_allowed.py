"""The list of what a file may name under `weights_only=True`, and what users add to it."""

import _codecs
import pickletools
from _compat_pickle import IMPORT_MAPPING, NAME_MAPPING
from collections import Counter, OrderedDict
from collections.abc import Callable
from types import TracebackType
from typing import Any

from seegrad.arrays import dtypes
from seegrad.arrays.size import Size
from seegrad.device import device
from seegrad.nn.parameter import Parameter
from seegrad.serialization import _texts
from seegrad.serialization._names import name_of
from seegrad.serialization._rebuilding import FUNCTIONS
from seegrad.tensor.storages import LEGACY, TypedStorage, UntypedStorage
from seegrad.tensor.tensor import Tensor

__all__ = [
    "add_safe_globals",
    "clear_safe_globals",
    "get_safe_globals",
    "safe_globals",
]

Global = Callable[..., Any]
Listed = Global | tuple[Global, str]

# What PyTorch's list holds and seegrad does not have.
ABSENT = {
    "torch._utils._rebuild_sparse_tensor": "sparse tensors",
    "torch._utils._rebuild_qtensor": "quantised tensors",
    "torch._utils._rebuild_nested_tensor": "nested tensors",
    "torch._utils._rebuild_meta_tensor_no_storage": "tensors without data, of the device 'meta'",
    "torch._utils._rebuild_wrapper_subclass": "tensors that wrap others",
    "torch._utils._rebuild_device_tensor_from_numpy": "tensors of other devices",
    "torch._utils._rebuild_device_tensor_from_cpu_tensor": "tensors of other devices",
    **{
        f"torch.{name}": f"the dtype torch.{name}"
        for name in (
            *("uint16", "uint32", "uint64", "complex32", "float8_e4m3fn", "float8_e5m2"),
            *("float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e8m0fnu", "float4_e2m1fn_x2"),
            *("quint8", "qint8", "qint32", "quint4x2", "quint2x4"),
        )
    },
    **{
        f"torch.{name}Storage": "quantised tensors"
        for name in ("QInt8", "QUInt8", "QInt32", "QUInt4x2", "QUInt2x4")
    },
}
BLOCKED = frozenset({"sys", "os", "posix", "nt"})

PLAIN: dict[str, Any] = {
    "collections.OrderedDict": OrderedDict,
    "collections.Counter": Counter,
    "builtins.set": set,
    "builtins.complex": complex,
    "builtins.bytearray": bytearray,
    "_codecs.encode": _codecs.encode,
    "torch.device": device,
    "torch.Size": Size,
    "torch.Tensor": Tensor,
    "torch.nn.parameter.Parameter": Parameter,
    "torch.storage.UntypedStorage": UntypedStorage,
    "torch.storage.TypedStorage": TypedStorage,
    **FUNCTIONS,
    **{repr(dtype): dtype for dtype in dtypes.ALL},
    **{f"torch.{name}": kind for name, kind in LEGACY.items()},
}

_added: dict[str, Listed] = {}


def add_safe_globals(safe_globals: list[Listed]) -> None:
    """Puts classes and functions on the list of what files may name under `weights_only=True`.

    Functions may be called by files, classes made and given their state. A tuple of one and a
    string says by which path files speak of it.

    >>> import seegrad as torch
    >>> torch.serialization.add_safe_globals([range])
    >>> torch.serialization.get_safe_globals()
    [<class 'range'>]
    >>> torch.serialization.clear_safe_globals()
    """
    _added.update({path_of(one): one for one in safe_globals})


def get_safe_globals() -> list[Listed]:
    """What was put on the list.

    >>> import seegrad as torch
    >>> torch.serialization.get_safe_globals()
    []
    """
    return list(_added.values())


def clear_safe_globals() -> None:
    """Takes off the list what was put there.

    >>> import seegrad as torch
    >>> torch.serialization.clear_safe_globals()
    """
    _added.clear()


class safe_globals:
    """A context in which more classes and functions are on the list.

    >>> import seegrad as torch
    >>> with torch.serialization.safe_globals([range]):
    ...     torch.serialization.get_safe_globals()
    [<class 'range'>]
    """

    def __init__(self, safe_globals: list[Listed]) -> None:
        self.safe_globals = safe_globals

    def __enter__(self) -> None:
        self._before = dict(_added)
        add_safe_globals(self.safe_globals)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        _added.clear()
        _added.update(self._before)


def path_of(listed: Listed) -> str:
    """The path by which files speak of something."""
    if isinstance(listed, tuple):
        if len(listed) != 2 or not isinstance(listed[1], str):
            raise ValueError(f"Expected a tuple of (global, str path), but got {listed}")
        return listed[1]
    return ".".join(name_of(listed))


def thing_of(listed: Listed) -> Any:
    """The class or function itself."""
    return listed[0] if isinstance(listed, tuple) else listed


def added() -> dict[str, Any]:
    """What users put on the list, by path."""
    return {path: thing_of(one) for path, one in _added.items()}


def of_today(module: str, name: str) -> tuple[str, str]:
    """A module and a name as they are called since Python 3."""
    if (module, name) in NAME_MAPPING:
        return NAME_MAPPING[module, name]
    return IMPORT_MAPPING.get(module, module), name


def shown(module: str, name: str) -> str:
    """The path that errors speak of."""
    return name if module == "builtins" else f"{module}.{name}"


def looked_up(module: str, name: str, more: dict[str, Any]) -> Any:
    """What a file names, from the list or from `more`.

    Raises UnpicklingError for what is not there.
    """
    module, name = of_today(module, name)
    path = f"{module}.{name}"
    if path in PLAIN:
        return PLAIN[path]
    if path in more:
        return more[path]
    if path in ABSENT:
        raise _texts.of_pickle(f"This file holds {ABSENT[path]}, which seegrad does not have")
    if module in BLOCKED:
        raise _texts.of_blocked(path, module)
    raise _texts.of_global(shown(module, name))


def unsafe_globals(pickle: bytes) -> list[str]:
    """The paths that a pickle names and that are not on the list."""
    named, texts = {}, []
    for opcode, argument, _ in pickletools.genops(pickle):
        if isinstance(argument, str) and "UNICODE" in opcode.name:
            texts.append(argument)
        if opcode.name in ("GLOBAL", "INST"):
            named[of_today(*str(argument).split(" ", 1))] = True
        elif opcode.name == "STACK_GLOBAL" and len(texts) > 1:
            named[texts[-2], texts[-1]] = True
    paths = {f"{module}.{name}": shown(module, name) for module, name in named}
    return [one for path, one in paths.items() if path not in PLAIN and path not in _added]
