"""Kernels of binary exponents, common divisors and multiples."""

from typing import Any

import numpy as np

from seegrad.arrays.refusals import need_integers, need_numbers

Array = Any  # an ndarray, or the NumPy scalar that a ufunc makes of 0-d arrays

FURTHEST = 5000  # more than any exponent: what is beyond it is infinite or zero


def frexp(self: Array) -> tuple[Array, Array]:
    """The mantissa, from 0.5 to below 1 in size, and the exponent of two; 0 of infinity."""
    if self.dtype.kind != "f":
        raise RuntimeError("torch.frexp() only supports floating-point dtypes")
    mantissa, exponent = np.frexp(self)
    return mantissa, np.where(np.isfinite(self), exponent, 0).astype(np.int32)


def ldexp(self: Array, other: Array) -> Array:
    """`self * 2 ** other`, also where the power alone is too large or too small to be a number."""
    if other.dtype.kind == "c":
        turn = np.exp(1j * np.log(2) * other.imag)
        return (_scaled(self.real, other.real) + 1j * _scaled(self.imag, other.real)) * turn
    if self.dtype.kind == "c":
        return _scaled(self.real, other) + 1j * _scaled(self.imag, other)
    return _scaled(self, other)


def _scaled(self: Array, other: Array) -> Array:
    whole = np.clip(np.floor(np.where(np.isfinite(other), other, 0)), -FURTHEST, FURTHEST)
    rest = np.exp2(other - whole).astype(self.dtype)
    return np.ldexp(self * rest, whole.astype(np.int32))


def gcd(self: Array, other: Array) -> Array:
    """The greatest common divisor; of 0 and a number its size."""
    need_integers(self, "gcd_cpu")
    need_numbers(self, "gcd_cpu")
    return np.gcd(self, other)


def lcm(self: Array, other: Array) -> Array:
    """The least common multiple; 0 where one of both is 0."""
    need_integers(self, "lcm_cpu")
    need_numbers(self, "lcm_cpu")
    return np.lcm(self, other)
