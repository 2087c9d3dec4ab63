"""What kernels refuse, in PyTorch's words."""

from typing import Any, NoReturn

from seegrad.arrays import dtypes

Array = Any  # an ndarray, or the NumPy scalar that a ufunc makes of 0-d arrays


def _not_implemented(self: Array, kernel: str) -> NoReturn:
    name = dtypes.from_numpy(self.dtype).scalar_name
    raise NotImplementedError(f"\"{kernel}\" not implemented for '{name}'")


def need_inexact(self: Array, kernel: str) -> None:
    """Raise for integers and bools."""
    if self.dtype.kind not in "fc":
        _not_implemented(self, kernel)


def need_float(self: Array, kernel: str) -> None:
    """Raise for all but floating point."""
    if self.dtype.kind != "f":
        _not_implemented(self, kernel)


def need_integers(self: Array, kernel: str) -> None:
    """Raise for all but integers and bools."""
    if self.dtype.kind in "fc":
        _not_implemented(self, kernel)


def need_order(self: Array, kernel: str) -> None:
    """Raise for complex numbers."""
    if self.dtype.kind == "c":
        _not_implemented(self, kernel)


def need_numbers(self: Array, kernel: str) -> None:
    """Raise for bools."""
    if self.dtype.kind == "b":
        _not_implemented(self, kernel)


def refuse_complex(self: Array, text: str, error: type[Exception] = RuntimeError) -> None:
    """Raise with a text of its own for complex numbers."""
    if self.dtype.kind == "c":
        raise error(text)
