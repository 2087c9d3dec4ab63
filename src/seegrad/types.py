"""Names for the annotations of programs."""

import os
from collections.abc import Sequence
from typing import IO, TypeAlias

from seegrad.arrays.size import Size
from seegrad.device import device as _device
from seegrad.missing import missing as _missing
from seegrad.tensor.storages import TypedStorage, UntypedStorage
from seegrad.tensor.tensor import Tensor

__all__ = ["Device", "FileLike", "Number", "Storage"]

__getattr__ = _missing(__name__, __all__)

Number: TypeAlias = int | float | bool
Device: TypeAlias = _device | str | int | None
FileLike: TypeAlias = str | os.PathLike[str] | IO[bytes]
Storage: TypeAlias = UntypedStorage | TypedStorage
_size: TypeAlias = Size | list[int] | tuple[int, ...]
_int, _float, _bool, _complex, _bytes, _str = int, float, bool, complex, bytes, str
_TensorOrTensors: TypeAlias = Tensor | Sequence[Tensor]
