"""The names of `torch.signal.windows`.

Each window has `M` numbers; with `sym` both ends are equal, without the last of one more is left
out. Options: `dtype`, float32 or float64, `device` and `requires_grad`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from seegrad.arrays import tapers
from seegrad.arrays.dtypes import get_default_dtype
from seegrad.missing import missing as _missing
from seegrad.tensor.creation import finished

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

__all__ = [
    "bartlett",
    "blackman",
    "cosine",
    "exponential",
    "gaussian",
    "general_cosine",
    "general_hamming",
    "hamming",
    "hann",
    "kaiser",
    "nuttall",
]

__getattr__ = _missing(__name__, __all__)


def _made(
    name: str,
    shape: tapers.Shape,
    size: int,
    sym: bool,
    dtype: Any = None,
    layout: Any = None,
    **options: Any,
) -> Tensor:
    """A window, after its size and type are checked."""
    dtype = get_default_dtype() if dtype is None else dtype
    if size < 0:
        raise ValueError(f"{name} requires non-negative window length, got M={size}")
    if dtype.numpy.char not in "fd":
        raise ValueError(f"{name} expects float32 or float64 dtypes, got: {dtype}")
    return finished(tapers.taper(shape, size, sym, dtype.numpy), **options)


def exponential(
    M: int, *, center: float | None = None, tau: float = 1.0, sym: bool = True, **options: Any
) -> Tensor:
    """Return exponential decay by `exp(-1 / tau)` a place, on both sides of `center`.

    `center`: the middle by default, and where `sym`. Raises ValueError for a `tau` that is not
    positive.

    >>> import seegrad as torch
    >>> torch.signal.windows.exponential(3)
    tensor([0.3679, 1.0000, 0.3679])
    """
    if tau <= 0:
        raise ValueError(f"Tau must be positive, got: {tau} instead.")
    if sym and center is not None:
        raise ValueError("Center must be None for symmetric windows")
    return _made("exponential", tapers.decay(center, tau), M, sym, **options)


def cosine(M: int, *, sym: bool = True, **options: Any) -> Tensor:
    """Return half a sine wave.

    >>> import seegrad as torch
    >>> torch.signal.windows.cosine(3)
    tensor([0.5000, 1.0000, 0.5000])
    """
    return _made("cosine", tapers.half_wave, M, sym, **options)


def gaussian(M: int, *, std: float = 1.0, sym: bool = True, **options: Any) -> Tensor:
    """Return the normal density, 1 in the middle, of a width counted in places.

    Raises ValueError for a `std` that is not positive.

    >>> import seegrad as torch
    >>> torch.signal.windows.gaussian(3)
    tensor([0.6065, 1.0000, 0.6065])
    """
    if std <= 0:
        raise ValueError(f"Standard deviation must be positive, got: {std} instead.")
    return _made("gaussian", tapers.bell(std), M, sym, **options)


def kaiser(M: int, *, beta: float = 12.0, sym: bool = True, **options: Any) -> Tensor:
    """Return the window of Bessel functions; the larger `beta`, the narrower.

    Raises ValueError for a negative `beta`.

    >>> import seegrad as torch
    >>> torch.signal.windows.kaiser(3, beta=0.0)
    tensor([1., 1., 1.])
    """
    if beta < 0:
        raise ValueError(f"beta must be non-negative, got: {beta} instead.")
    return _made("kaiser", tapers.kaiser(beta), M, sym, **options)


def hamming(M: int, *, sym: bool = True, **options: Any) -> Tensor:
    """Return `0.54 - 0.46 cos(x)` over one turn.

    >>> import seegrad as torch
    >>> torch.signal.windows.hamming(3)
    tensor([0.0800, 1.0000, 0.0800])
    """
    return general_cosine(M, a=tapers.HAMMING, sym=sym, **options)


def hann(M: int, *, sym: bool = True, **options: Any) -> Tensor:
    """Return `0.5 - 0.5 cos(x)` over one turn.

    >>> import seegrad as torch
    >>> torch.signal.windows.hann(3)
    tensor([0., 1., 0.])
    """
    return general_cosine(M, a=tapers.HANN, sym=sym, **options)


def blackman(M: int, *, sym: bool = True, **options: Any) -> Tensor:
    """Return `0.42 - 0.5 cos(x) + 0.08 cos(2 x)` over one turn.

    >>> import seegrad as torch
    >>> torch.signal.windows.blackman(4)[1:3]
    tensor([0.6300, 0.6300])
    """
    return _made("blackman", tapers.cosines(tapers.BLACKMAN), M, sym, **options)


def bartlett(M: int, *, sym: bool = True, **options: Any) -> Tensor:
    """Return a triangle.

    >>> import seegrad as torch
    >>> torch.signal.windows.bartlett(5)
    tensor([0.0000, 0.5000, 1.0000, 0.5000, 0.0000])
    """
    return _made("bartlett", tapers.triangle, M, sym, **options)


def general_cosine(M: int, *, a: Sequence[float], sym: bool = True, **options: Any) -> Tensor:
    """Return `a[0] - a[1] cos(x) + a[2] cos(2 x) - ...` over one turn.

    Raises TypeError where `a` is no list or tuple, ValueError where it is empty.

    >>> import seegrad as torch
    >>> torch.signal.windows.general_cosine(3, a=[0.5, 0.5])
    tensor([0., 1., 0.])
    """
    if not isinstance(a, tuple | list):
        raise TypeError("Coefficients must be a list/tuple")
    if not a:
        raise ValueError("Coefficients cannot be empty")
    return _made("general_cosine", tapers.cosines(a), M, sym, **options)


def general_hamming(M: int, *, alpha: float = 0.54, sym: bool = True, **options: Any) -> Tensor:
    """Return `alpha - (1 - alpha) cos(x)` over one turn.

    >>> import seegrad as torch
    >>> torch.signal.windows.general_hamming(3, alpha=0.5)
    tensor([0., 1., 0.])
    """
    return general_cosine(M, a=[alpha, 1 - alpha], sym=sym, **options)


def nuttall(M: int, *, sym: bool = True, **options: Any) -> Tensor:
    """Return Nuttall's window of four cosines.

    >>> import seegrad as torch
    >>> torch.signal.windows.nuttall(3)[1]
    tensor(1.)
    """
    return general_cosine(M, a=tapers.NUTTALL, sym=sym, **options)
