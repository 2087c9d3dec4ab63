"""Functions that make windows: `torch.hann_window` and its kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from seegrad.arrays.dtypes import cpp_type_name, get_default_dtype
from seegrad.arrays.tapers import BLACKMAN, HANN, Shape, cosines, kaiser, taper, triangle
from seegrad.ops.calls import public
from seegrad.tensor.creation import as_dtype, finished

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

__all__ = [
    "bartlett_window",
    "blackman_window",
    "hamming_window",
    "hann_window",
    "kaiser_window",
]


def _made(
    name: str,
    shape: Shape,
    length: int,
    periodic: bool,
    dtype: Any = None,
    layout: Any = None,
    pin_memory: bool = False,
    **options: Any,
) -> Tensor:
    """A window in a floating-point type."""
    dtype = as_dtype(dtype) or get_default_dtype()
    if not (dtype.is_floating_point or dtype.is_complex):
        raise RuntimeError(
            f"{name} expects floating point dtypes, got: TensorOptions(dtype="
            f"{cpp_type_name(dtype)}, device=cpu, layout=Strided (default), requires_grad=false "
            "(default), pinned_memory=false, memory_format=(nullopt))"
        )
    if length < 0:
        raise RuntimeError(
            f"{name} requires non-negative window_length, got window_length={length}"
        )
    if dtype.is_complex:
        raise NotImplementedError(f"\"arange_cpu\" not implemented for '{dtype.scalar_name}'")
    return finished(taper(shape, length, not periodic, dtype.numpy), **options)


@public
def hann_window(window_length: int, periodic: bool = True, **options: Any) -> Tensor:
    """Return the Hann window, `(1 - cos(x)) / 2` over one turn.

    `periodic`: the first of two equal ends only, as for `stft`. Options: `dtype`, floating point,
    `device` and `requires_grad`. Returns (window_length,). Raises RuntimeError for a negative
    length and for other types.

    >>> import seegrad as torch
    >>> torch.hann_window(4)
    tensor([0.0000, 0.5000, 1.0000, 0.5000])
    """
    return _made("hann_window", cosines(HANN), window_length, periodic, **options)


@public
def hamming_window(
    window_length: int,
    periodic: bool = True,
    alpha: float = 0.54,
    beta: float = 0.46,
    **options: Any,
) -> Tensor:
    """Return the Hamming window, `alpha - beta cos(x)` over one turn.

    Other arguments and errors as of `hann_window`.

    >>> import seegrad as torch
    >>> torch.hamming_window(4)
    tensor([0.0800, 0.5400, 1.0000, 0.5400])
    """
    return _made("hamming_window", cosines((alpha, beta)), window_length, periodic, **options)


@public
def bartlett_window(window_length: int, periodic: bool = True, **options: Any) -> Tensor:
    """Return the Bartlett window, a triangle.

    Arguments and errors as of `hann_window`.

    >>> import seegrad as torch
    >>> torch.bartlett_window(4)
    tensor([0.0000, 0.5000, 1.0000, 0.5000])
    """
    return _made("bartlett_window", triangle, window_length, periodic, **options)


@public
def blackman_window(window_length: int, periodic: bool = True, **options: Any) -> Tensor:
    """Return the Blackman window, `0.42 - 0.5 cos(x) + 0.08 cos(2 x)` over one turn.

    Arguments and errors as of `hann_window`.

    >>> import seegrad as torch
    >>> torch.blackman_window(5, periodic=False).round(decimals=2).abs()
    tensor([0.0000, 0.3400, 1.0000, 0.3400, 0.0000])
    """
    return _made("blackman_window", cosines(BLACKMAN), window_length, periodic, **options)


@public
def kaiser_window(
    window_length: int, periodic: bool = True, beta: float = 12.0, **options: Any
) -> Tensor:
    """Return the Kaiser window, of Bessel functions; the larger `beta`, the narrower.

    Other arguments and errors as of `hann_window`.

    >>> import seegrad as torch
    >>> torch.kaiser_window(5, periodic=False, beta=0.0)
    tensor([1., 1., 1., 1., 1.])
    """
    return _made("kaiser_window", kaiser(beta), window_length, periodic, **options)
