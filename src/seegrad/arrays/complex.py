"""Kernels of complex numbers."""

from typing import Any

import numpy as np

from seegrad.arrays.linalg import type_name
from seegrad.arrays.strides import strided

Array = Any  # an ndarray; NumPy's own type is too narrow for keys and scalars


def conj(self: Array) -> Array:
    """The complex conjugate; a real array itself."""
    return _laid_as(self, self.conj())


def conj_physical(self: Array) -> Array:
    """The complex conjugate, always a new array."""
    return _laid_as(self, np.asarray(np.conjugate(self)))


def _laid_as(self: Array, made: Array) -> Array:
    """What was made of `self`, with its strides: NumPy gives dimensions of size 1 other ones."""
    if made.strides == self.strides:
        return made
    sizes = zip(self.shape, made.strides, self.strides, strict=True)
    same = all(size == 1 or one == two for size, one, two in sizes)
    return strided(made, self.shape, self.strides) if same else made


def complex(real: Array, imag: Array) -> Array:
    """Complex numbers from their parts."""
    _check_parts(real, imag)
    out = np.empty(np.broadcast_shapes(real.shape, imag.shape), _complex_type(real))
    out.real = real
    out.imag = imag
    return out


def polar(abs: Array, angle: Array) -> Array:
    """Complex numbers from distance and angle."""
    _check_parts(abs, angle)
    if abs.dtype.itemsize < 4:
        raise NotImplementedError(f"\"polar_cpu\" not implemented for '{type_name(abs)}'")
    out = np.empty(np.broadcast_shapes(abs.shape, angle.shape), _complex_type(abs))
    np.multiply(abs, np.cos(angle), out=out.real)
    np.multiply(abs, np.sin(angle), out=out.imag)
    return out


def _complex_type(part: Array) -> Any:
    return np.complex128 if part.dtype == np.float64 else np.complex64


def _check_parts(real: Array, imag: Array) -> None:
    if real.dtype.kind != "f" or imag.dtype.kind != "f":
        raise RuntimeError(
            "Expected both inputs to be Half, Float or Double tensors but got "
            f"{type_name(real)} and {type_name(imag)}"
        )
    if real.dtype != imag.dtype:
        raise RuntimeError(
            f"Expected object of scalar type {type_name(real)} but got scalar type "
            f"{type_name(imag)} for second argument"
        )


def angle(self: Array) -> Array:
    """The angle of complex numbers; of real ones 0 or pi, NaN stays NaN."""
    if self.dtype.kind == "c":
        return np.asarray(np.angle(self))
    if self.dtype.kind != "f":
        self = self.astype(np.float32)
    flat = np.where(self < 0, self.dtype.type(np.pi), self.dtype.type(0))
    return np.asarray(np.where(np.isnan(self), self, flat))
