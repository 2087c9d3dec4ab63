"""Kernels that compare, combine truth values and turn bits."""

import math
from typing import Any

import numpy as np

from seegrad.arrays.refusals import need_integers, need_order, refuse_complex

Array = Any  # an ndarray, or the NumPy scalar that a ufunc makes of 0-d arrays

eq = np.equal
ne = np.not_equal
isfinite = np.isfinite
isinf = np.isinf
logical_and = np.logical_and
logical_or = np.logical_or
logical_xor = np.logical_xor
logical_not = np.logical_not


def lt(self: Array, other: Array) -> Array:
    """Less; complex numbers have no order."""
    need_order(self, "lt_cpu")
    return np.less(self, other)


def le(self: Array, other: Array) -> Array:
    """Less or equal; complex numbers have no order."""
    need_order(self, "le_cpu")
    return np.less_equal(self, other)


def gt(self: Array, other: Array) -> Array:
    """Greater; complex numbers have no order."""
    need_order(self, "gt_cpu")
    return np.greater(self, other)


def ge(self: Array, other: Array) -> Array:
    """Greater or equal; complex numbers have no order."""
    need_order(self, "ge_cpu")
    return np.greater_equal(self, other)


def isclose(self: Array, other: Array, rtol: float, atol: float, equal_nan: bool) -> Array:
    """Equal, or no further apart than `atol + rtol * |other|`."""
    close = self == other
    if equal_nan:
        close = close | ((self != self) & (other != other))
    if self.dtype.kind == "b":
        return close
    apart = np.abs(np.subtract(self, other))
    return close | (np.isfinite(apart) & (apart <= atol + np.abs(rtol * other)))


def isnan(self: Array) -> Array:
    """Where self is NaN: nowhere for integers."""
    return np.not_equal(self, self)


def isposinf(self: Array) -> Array:
    """Where self is plus infinity."""
    refuse_complex(self, "isposinf does not support complex inputs.")
    return np.equal(self, math.inf)


def isneginf(self: Array) -> Array:
    """Where self is minus infinity."""
    refuse_complex(self, "isneginf does not support complex inputs.")
    return np.equal(self, -math.inf)


# Bits


def bitwise_and(self: Array, other: Array) -> Array:
    """And of bits."""
    need_integers(self, "bitwise_and_cpu")
    return np.bitwise_and(self, other)


def bitwise_or(self: Array, other: Array) -> Array:
    """Or of bits."""
    need_integers(self, "bitwise_or_cpu")
    return np.bitwise_or(self, other)


def bitwise_xor(self: Array, other: Array) -> Array:
    """Exclusive or of bits."""
    need_integers(self, "bitwise_xor_cpu")
    return np.bitwise_xor(self, other)


def bitwise_not(self: Array) -> Array:
    """All bits turned."""
    need_integers(self, "bitwise_not_cpu")
    return np.invert(self)


def bitwise_left_shift(self: Array, other: Array) -> Array:
    """Bits shifted up."""
    need_integers(self, "lshift_cpu")
    return np.left_shift(self, other)


def bitwise_right_shift(self: Array, other: Array) -> Array:
    """Bits shifted down."""
    need_integers(self, "rshift_cpu")
    return np.right_shift(self, other)


eq_number, ne_number, lt_number, le_number, gt_number, ge_number = eq, ne, lt, le, gt, ge
