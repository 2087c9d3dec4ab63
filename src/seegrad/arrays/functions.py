"""Kernels of elementary and special functions; the first that needs SciPy imports it."""

import math
from typing import Any

import numpy as np

from seegrad.arrays.refusals import need_float, need_order, refuse_complex
from seegrad.arrays.scipy_special import special_function

Array = Any  # an ndarray, or the NumPy scalar that a ufunc makes of 0-d arrays
Number = int | float | complex


# Exponentials and logarithms

exp = np.exp
expm1 = np.expm1
log = np.log
log1p = np.log1p
log2 = np.log2
exp2 = np.exp2


def log10(self: Array) -> Array:
    """The logarithm to base 10; NumPy's in single precision misses exact powers of ten."""
    if self.dtype != np.float32:
        return np.log10(self)
    return np.log10(self, dtype=np.float64).astype(np.float32)


def sigmoid(self: Array) -> Array:
    """`1 / (1 + exp(-self))`: exp overflows to inf where the result is 0 anyway."""
    return np.reciprocal(1 + np.exp(-self))


def logit(self: Array, eps: float | None) -> Array:
    """The inverse of the sigmoid, self held within eps and 1 - eps if eps is given."""
    need_order(self, "logit_cpu")
    inside = self if eps is None else np.clip(self, eps, 1 - eps)
    return np.log(inside / (1 - inside))


def logaddexp(self: Array, other: Array) -> Array:
    """`log(exp(self) + exp(other))` without overflow."""
    if self.dtype.kind != "c":
        need_float(self, "logaddexp_cpu")
        return np.logaddexp(self, other)
    larger = self.real >= other.real
    high: Array = np.where(larger, self, other)
    low: Array = np.where(larger, other, self)
    return high + np.log1p(np.exp(low - high))


def logaddexp2(self: Array, other: Array) -> Array:
    """`log2(2 ** self + 2 ** other)` without overflow."""
    need_float(self, "logaddexp2_cpu")
    return np.logaddexp2(self, other)


def xlogy(self: Array, other: Array) -> Array:
    """`self * log(other)`, and 0 where self is 0 and other is no NaN."""
    need_order(self, "xlogy_cpu")
    return np.where((self == 0) & (other == other), 0, self * np.log(other)).astype(self.dtype)


def xlogy_self(self: Number, other: Array) -> Array:
    """The same for a number and a tensor."""
    return xlogy(np.asarray(self, other.dtype), other)


def xlogy_other(self: Array, other: Number) -> Array:
    """The same for a tensor and a number."""
    return xlogy(self, np.asarray(other, self.dtype))


# Trigonometry

sin = np.sin
cos = np.cos
tan = np.tan
asin = np.arcsin
acos = np.arccos
atan = np.arctan
sinh = np.sinh
cosh = np.cosh
tanh = np.tanh
asinh = np.arcsinh
acosh = np.arccosh
atanh = np.arctanh


def tanh_backward(grad: Array, wanted: tuple[bool], result: Array) -> tuple[Array]:
    """`grad (1 - y^2)` in one new array (Note [Fast])."""
    out = np.asarray(result * result)
    np.subtract(1, out, out)
    return (np.multiply(grad, out, out),)


def atan2(self: Array, other: Array) -> Array:
    """The angle of the point (other, self)."""
    need_order(self, "atan2_cpu")
    return np.arctan2(self, other)


def deg2rad(self: Array) -> Array:
    """Degrees as radians."""
    refuse_complex(self, "deg2rad is not supported for complex tensors.")
    return self * (math.pi / 180)


def rad2deg(self: Array) -> Array:
    """Radians as degrees."""
    refuse_complex(self, "rad2deg is not supported for complex tensors.")
    return self * (180 / math.pi)


def hypot(self: Array, other: Array) -> Array:
    """The length of the hypotenuse, without overflow."""
    need_float(self, "hypot_cpu")
    return np.hypot(self, other)


def sinc(self: Array) -> Array:
    """`sin(pi self) / (pi self)`, and 1 at 0."""
    angle = self * math.pi
    return np.where(self == 0, 1, np.sin(angle) / angle).astype(self.dtype)


def sinc_derivative(self: Array, order: int) -> Array:
    """The derivative of sinc of an order >= 1, right at and near 0 too.

    With t = pi x, f0 = sin(t) / t and t f_n = sin(t + n pi / 2) - n f_(n-1). Near zero the
    difference cancels; there the Taylor series is summed.
    """
    angle = np.asarray(self * math.pi)
    near = np.abs(angle) < order + 1
    far = np.where(near, 1.0, angle)
    value = np.sin(far) / far
    for n in range(1, order + 1):
        value = (np.sin(far + n * math.pi / 2) - n * value) / far
    series = _sinc_series(np.where(near, angle, 0.0), order)
    return (np.where(near, series, value) * math.pi**order).astype(self.dtype)


def _sinc_series(angle: Array, order: int) -> Array:
    """The sum over k of (-1)^k t^(2k - order) / ((2k + 1) (2k - order)!), for 2k >= order."""
    first = (order + 1) // 2
    total = np.zeros_like(angle)
    for k in range(first, first + 14 + 2 * order):
        power = 2 * k - order
        total = total + (-1) ** k / ((2 * k + 1) * math.factorial(power)) * angle**power
    return total


# Special functions


def erf(self: Array) -> Array:
    """The error function."""
    need_order(self, "erf_vml_cpu")
    return special_function("erf")(self)


def erfc(self: Array) -> Array:
    """One minus the error function, exact where that is small."""
    need_order(self, "erfc_vml_cpu")
    return special_function("erfc")(self)


def erfinv(self: Array) -> Array:
    """The inverse of the error function."""
    need_order(self, "erfinv_vml_cpu")
    return special_function("erfinv")(self)


def lgamma(self: Array) -> Array:
    """The logarithm of the absolute value of the gamma function."""
    need_order(self, "lgamma_vml_cpu")
    return special_function("gammaln")(self)


def digamma(self: Array) -> Array:
    """The logarithmic derivative of the gamma function: -inf at 0, as PyTorch says."""
    need_order(self, "digamma")
    value = special_function("digamma")(self)
    zero_sign = np.copysign(math.inf, -self)
    return np.where(self == 0, zero_sign, value).astype(self.dtype)


def polygamma(n: int, self: Array) -> Array:
    """The n-th derivative of digamma; n comes first, as in PyTorch."""
    if n < 0:
        raise RuntimeError("polygamma(n, x) does not support negative n.")
    need_order(self, ("digamma", "trigamma", "polygamma")[min(n, 2)])
    return np.asarray(special_function("polygamma")(n, self)).astype(self.dtype)


def polygamma_in_place(self: Array, n: int) -> Array:
    """The same with `self` first, as methods have it."""
    return polygamma(n, self)


nextafter = np.nextafter
