"""Fourier transforms: complex to complex, real to complex, complex to real.

`normalization`: 0 leaves the sums as they are, 1 divides by the root of their length, 2 by the
length, whatever the direction. NumPy's words for that depend on the direction.
"""

from typing import Any

import numpy as np

__all__ = ["fft_c2c", "fft_c2r", "fft_r2c"]

Array = np.ndarray[Any, Any]
Size = tuple[int, ...]

FORWARD: Any = ("backward", "ortho", "forward")
INVERSE: Any = ("forward", "ortho", "backward")


def _arranged(result: Array, dim: Size) -> Array:
    """The result as PyTorch lays it out: one transformed dimension is the innermost in memory."""
    if len(dim) != 1:
        return result
    return np.moveaxis(np.ascontiguousarray(np.moveaxis(result, dim[0], -1)), -1, dim[0])


def fft_c2c(self: Array, dim: Size, normalization: int, forward: bool) -> Array:
    """The transform of complex numbers over the dimensions `dim`."""
    if not dim:
        return self.copy()
    if forward:
        return _arranged(np.fft.fftn(self, axes=dim, norm=FORWARD[normalization]), dim)
    return _arranged(np.fft.ifftn(self, axes=dim, norm=INVERSE[normalization]), dim)


def fft_r2c(self: Array, dim: Size, normalization: int, onesided: bool) -> Array:
    """The transform of real numbers; `onesided`: without the half that mirrors the other."""
    transform = np.fft.rfftn if onesided else np.fft.fftn
    return _arranged(transform(self, axes=dim, norm=FORWARD[normalization]), dim)


def fft_c2r(self: Array, dim: Size, normalization: int, last_dim_size: int) -> Array:
    """The inverse transform of a half that `fft_r2c` made, to real numbers."""
    sizes = [self.shape[one] for one in dim[:-1]] + [last_dim_size]
    return np.fft.irfftn(self, s=sizes, axes=dim, norm=INVERSE[normalization])
