"""The limits of number types: `torch.finfo` and `torch.iinfo`."""

from __future__ import annotations

from typing import Any, Final, final

from seegrad.arrays import dtypes
from seegrad.arrays.dtypes import dtype

# Bits of the stored mantissa, largest exponent, decimal digits that always survive.
_FORMATS: Final = {
    dtypes.float16: (10, 15, 3),
    dtypes.bfloat16: (7, 127, 2),
    dtypes.float32: (23, 127, 6),
    dtypes.float64: (52, 1023, 15),
}

# Stands for "no argument given": None itself is refused, as in PyTorch.
_DEFAULT: Final[Any] = object()


def _check(name: str, value: object) -> dtype:
    if not isinstance(value, dtype):
        raise TypeError(
            f"{name}(): argument 'type' (position 1) must be torch.dtype, "
            f"not {type(value).__name__}"
        )
    return value


@final
class finfo:
    """The limits of a floating-point dtype; of the real part for a complex one.

    Without argument those of the default dtype. Raises `TypeError` for other types.

    >>> import seegrad as torch
    >>> torch.finfo(torch.float16).max
    65504.0
    """

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, type: dtype = _DEFAULT) -> None:
        asked = dtypes.get_default_dtype() if type is _DEFAULT else _check("finfo", type)
        if not (asked.is_floating_point or asked.is_complex):
            raise TypeError(
                "torch.finfo() requires a floating point input type. "
                "Use torch.iinfo to handle 'torch.finfo'"
            )
        real = asked.to_real()
        mantissa, exponent, digits = _FORMATS[real]
        self.bits = 8 * real.itemsize
        self.eps = 2.0**-mantissa
        self.max = (2 - self.eps) * 2.0**exponent
        self.min = -self.max
        self.tiny = self.smallest_normal = 2.0 ** (1 - exponent)
        self.resolution = float(f"1e-{digits}")
        self.dtype = real.name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, finfo) and self.dtype == other.dtype

    def __repr__(self) -> str:
        return (
            f"finfo(resolution={self.resolution:g}, min={self.min:g}, max={self.max:g}, "
            f"eps={self.eps:g}, smallest_normal={self.smallest_normal:g}, "
            f"tiny={self.tiny:g}, dtype={self.dtype})"
        )


@final
class iinfo:
    """The limits of an integer dtype. Raises `TypeError` for other types.

    >>> import seegrad as torch
    >>> torch.iinfo(torch.int8).min
    -128
    """

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, type: dtype) -> None:
        asked = _check("iinfo", type)
        if asked.is_floating_point or asked.is_complex:
            raise TypeError(
                "torch.iinfo() requires an integer input type. "
                "Use torch.finfo to handle 'torch.iinfo'"
            )
        if asked is dtypes.bool_:
            raise TypeError("torch.bool is not supported by torch.iinfo")
        self.bits = 8 * asked.itemsize
        self.min = -(2 ** (self.bits - 1)) if asked.is_signed else 0
        self.max = self.min + 2**self.bits - 1
        self.dtype = asked.name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, iinfo) and self.dtype == other.dtype

    def __repr__(self) -> str:
        return f"iinfo(min={self.min:g}, max={self.max:g}, dtype={self.dtype})"


finfo.__module__ = iinfo.__module__ = "torch"
