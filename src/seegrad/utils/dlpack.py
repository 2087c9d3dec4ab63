"""Tensors handed to other libraries, and taken from them, without a copy."""

from typing import Any

import numpy as np

from seegrad.missing import missing as _missing
from seegrad.tensor.creation import from_dlpack as _from_dlpack
from seegrad.tensor.creation import from_numpy_array as _from_numpy

__all__ = ["from_dlpack", "to_dlpack"]

__getattr__ = _missing(__name__, __all__)


def to_dlpack(tensor: Any) -> Any:
    """Return a capsule that `from_dlpack` of another library takes, once.

    >>> import seegrad as torch
    >>> from_dlpack(to_dlpack(torch.ones(2)))
    tensor([1., 1.])
    """
    return tensor.__dlpack__()


def from_dlpack(ext_tensor: Any) -> Any:
    """Return a tensor on the memory of another library's tensor, or of a capsule."""
    if type(ext_tensor).__name__ == "PyCapsule":
        array = np.from_dlpack(_Capsule(ext_tensor))
        return _from_numpy(np.asarray(_Writable(array)))
    return _from_dlpack(ext_tensor)


class _Capsule:
    """A capsule, as something that gives one."""

    def __init__(self, capsule: Any) -> None:
        self._capsule = capsule

    def __dlpack__(self, **options: Any) -> Any:
        return self._capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)  # the CPU


class _Writable:
    """The memory of an array that NumPy takes for read-only, since capsules do not say."""

    def __init__(self, array: Any) -> None:
        self._array = array
        address = array.__array_interface__["data"][0]
        self.__array_interface__ = {**array.__array_interface__, "data": (address, False)}
