"""Kernels that compare, combine truth values and turn bits."""

import math
from typing import Any

import numpy as np

from seegrad.arrays import dtypes

Array = Any  # an ndarray, or the NumPy scalar that a ufunc makes of 0-d arrays

eq = np.equal
ne = np.not_equal
lt = np.less
le = np.less_equal
gt = np.greater
ge = np.greater_equal
isfinite = np.isfinite
isinf = np.isinf
logical_and = np.logical_and
logical_or = np.logical_or
logical_xor = np.logical_xor
logical_not = np.logical_not


def isnan(self: Array) -> Array:
    """Where self is NaN: nowhere for integers."""
    return np.not_equal(self, self)


def isposinf(self: Array) -> Array:
    """Where self is plus infinity."""
    return np.equal(self, math.inf)


def isneginf(self: Array) -> Array:
    """Where self is minus infinity."""
    return np.equal(self, -math.inf)


# Bits


def _need_integers(self: Array, kernel: str) -> None:
    if self.dtype.kind in "fc":
        name = dtypes.from_numpy(self.dtype).scalar_name
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{name}'")


def bitwise_and(self: Array, other: Array) -> Array:
    """And of bits."""
    _need_integers(self, "bitwise_and_cpu")
    return np.bitwise_and(self, other)


def bitwise_or(self: Array, other: Array) -> Array:
    """Or of bits."""
    _need_integers(self, "bitwise_or_cpu")
    return np.bitwise_or(self, other)


def bitwise_xor(self: Array, other: Array) -> Array:
    """Exclusive or of bits."""
    _need_integers(self, "bitwise_xor_cpu")
    return np.bitwise_xor(self, other)


def bitwise_not(self: Array) -> Array:
    """All bits turned."""
    _need_integers(self, "bitwise_not_cpu")
    return np.invert(self)


def bitwise_left_shift(self: Array, other: Array) -> Array:
    """Bits shifted up."""
    _need_integers(self, "lshift_cpu")
    return np.left_shift(self, other)


def bitwise_right_shift(self: Array, other: Array) -> Array:
    """Bits shifted down."""
    _need_integers(self, "rshift_cpu")
    return np.right_shift(self, other)
