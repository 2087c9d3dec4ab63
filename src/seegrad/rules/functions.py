"""Derivatives of the elementary and special functions."""

import math
from typing import Any

from seegrad.arrays.functions import tanh_backward
from seegrad.rules.spec import elementwise

Xp = Any
Value = Any

LN2 = math.log(2)
LN10 = math.log(10)


# Exponentials and logarithms

elementwise("exp(self)", promote="float", self=lambda xp, grad, result: grad * result)
elementwise("exp2(self)", promote="float", self=lambda xp, grad, result: grad * (result * LN2))
elementwise("expm1(self)", promote="float", self=lambda xp, grad, result: grad * (result + 1))
elementwise("log(self)", promote="float", self=lambda xp, grad, self: grad / self)
elementwise(
    "log1p(self)",
    promote="float",
    node="Log1PBackward0",
    self=lambda xp, grad, self: grad / (self + 1),
)
elementwise("log2(self)", promote="float", self=lambda xp, grad, self: grad / (self * LN2))
elementwise("log10(self)", promote="float", self=lambda xp, grad, self: grad / (self * LN10))
elementwise(
    "sigmoid(self)",
    promote="float",
    fused=True,
    self=lambda xp, grad, result: grad * ((1 - result) * result),
)
# The sigmoid of the difference is the share of each; PyTorch's 1 / (1 + exp(other - self)) is the
# same once, but its own derivative is inf / inf where the difference is large.
elementwise(
    "logaddexp(self, other)",
    self=lambda xp, grad, self, other: grad * xp.sigmoid(self - other),
    other=lambda xp, grad, self, other: grad * xp.sigmoid(other - self),
)
elementwise(
    "logaddexp2(self, other)",
    self=lambda xp, grad, self, other: grad * xp.sigmoid((self - other) * LN2),
    other=lambda xp, grad, self, other: grad * xp.sigmoid((other - self) * LN2),
)


def logit_self(xp: Xp, grad: Value, self: Value, eps: float | None) -> Value:
    """`1 / (x (1 - x))`; outside of the domain NaN, or 0 where eps bounds it."""
    low, high, outside = (0.0, 1.0, math.nan) if eps is None else (eps, 1 - eps, 0.0)
    return xp.where((self < low) | (self > high), outside, grad / (self * (1 - self)))


def log_of_number(other: float) -> float:
    """The logarithm of a number as the array functions have it."""
    if other > 0:
        return math.log(other)
    return -math.inf if other == 0 else math.nan


def xlogy_self(xp: Xp, grad: Value, self: Value, other: Value) -> Value:
    """`log(y)`, and 0 where `0 log y` was taken as 0."""
    return xp.where((self == 0) & (other <= 0), 0.0, grad * xp.log(other))


elementwise("logit(self, eps=None)", promote="float", fused=True, self=logit_self)
elementwise(
    "xlogy(self, other)",
    promote="float",
    self=xlogy_self,
    other=lambda xp, grad, self, other: grad * self / other,
)
elementwise(
    "xlogy_self(self, other)",
    promote="float",
    node="XlogyBackward1",
    other=lambda xp, grad, self, other: grad * (self / other),
)
elementwise(
    "xlogy_other(self, other)",
    promote="float",
    node="XlogyBackward2",
    self=lambda xp, grad, self, other: (
        xp.where(self == 0, 0.0, grad * log_of_number(other))
        if other <= 0
        else grad * log_of_number(other)
    ),
)


# Trigonometry


def radius(xp: Xp, self: Value, other: Value) -> Value:
    """The distance from the origin, and 1 there: squares would overflow before it does."""
    return xp.hypot(self, xp.where((self == 0) & (other == 0), 1.0, other))


def atan2_self(xp: Xp, grad: Value, self: Value, other: Value) -> Value:
    """`x / (x^2 + y^2)`, and 0 at the origin."""
    distance = radius(xp, self, other)
    return grad / distance * (other / distance)


def atan2_other(xp: Xp, grad: Value, self: Value, other: Value) -> Value:
    """`-y / (x^2 + y^2)`, and 0 at the origin."""
    distance = radius(xp, self, other)
    return grad / distance * (-self / distance)


elementwise("sin(self)", promote="float", self=lambda xp, grad, self: grad * xp.cos(self))
elementwise("cos(self)", promote="float", self=lambda xp, grad, self: grad * -xp.sin(self))
elementwise(
    "tan(self)", promote="float", self=lambda xp, grad, result: grad * (1 + result * result)
)
elementwise(
    "asin(self)", promote="float", self=lambda xp, grad, self: grad * xp.rsqrt(1 - self * self)
)
elementwise(
    "acos(self)", promote="float", self=lambda xp, grad, self: grad * -xp.rsqrt(1 - self * self)
)
elementwise("atan(self)", promote="float", self=lambda xp, grad, self: grad / (self * self + 1))
elementwise("atan2(self, other)", promote="float", self=atan2_self, other=atan2_other)
elementwise("sinh(self)", promote="float", self=lambda xp, grad, self: grad * xp.cosh(self))
elementwise("cosh(self)", promote="float", self=lambda xp, grad, self: grad * xp.sinh(self))
elementwise(
    "tanh(self)",
    promote="float",
    fused=True,
    fast=tanh_backward,
    self=lambda xp, grad, result: grad * (1 - result * result),
)
elementwise(
    "asinh(self)",
    promote="float",
    self=lambda xp, grad, self: grad * xp.rsqrt(self * self + 1),
    written={"node": "AsinhBackward1"},
)
elementwise(
    "acosh(self)",
    promote="float",
    # Two roots, because the root of the product is on the wrong branch for complex numbers.
    self=lambda xp, grad, self: grad * (xp.rsqrt(self - 1) * xp.rsqrt(self + 1)),
    written={"node": "AcoshBackward1"},
)
elementwise(
    "atanh(self)",
    promote="float",
    self=lambda xp, grad, self: grad / (1 - self * self),
    written={"node": "AtanhBackward1"},
)
elementwise(
    "deg2rad(self)",
    promote="float",
    node="Deg2RadBackward0",
    self=lambda xp, grad: grad * (math.pi / 180),
)
elementwise(
    "rad2deg(self)",
    promote="float",
    node="Rad2DegBackward0",
    self=lambda xp, grad: grad * (180 / math.pi),
)
elementwise(
    "hypot(self, other)",
    self=lambda xp, grad, self, result: grad * (self / result),
    other=lambda xp, grad, other, result: grad * (other / result),
)
elementwise(
    "sinc(self)", promote="float", self=lambda xp, grad, self: grad * xp.sinc_derivative(self, 1)
)
elementwise(
    "sinc_derivative(self, order)",
    promote="float",
    self=lambda xp, grad, self, order: grad * xp.sinc_derivative(self, order + 1),
)


# Special functions

elementwise(
    "erf(self)",
    promote="float",
    self=lambda xp, grad, self: 2 / math.sqrt(math.pi) * xp.exp(-(self * self)) * grad,
)
elementwise(
    "erfc(self)",
    promote="float",
    self=lambda xp, grad, self: -2 / math.sqrt(math.pi) * xp.exp(-(self * self)) * grad,
)
elementwise(
    "erfinv(self)",
    promote="float",
    self=lambda xp, grad, self: (
        0.5 * math.sqrt(math.pi) * xp.exp(xp.pow_scalar(xp.erfinv(self), 2)) * grad
    ),
)
elementwise("lgamma(self)", promote="float", self=lambda xp, grad, self: grad * xp.digamma(self))
elementwise(
    "digamma(self)", promote="float", self=lambda xp, grad, self: grad * xp.polygamma(1, self)
)
elementwise(
    "polygamma(n, self)",
    promote="float",
    self=lambda xp, grad, n, self: grad * xp.polygamma(n + 1, self),
)

elementwise(
    "polygamma_in_place(self, n)",
    node="PolygammaBackward1",
    promote="float",
    self=lambda xp, grad, n, self: grad * xp.polygamma(n + 1, self),
)

# A step of one unit in the last place: as good as the identity in `self`.
elementwise(
    "nextafter(self, other)",
    self=lambda xp, grad: grad,
    other=lambda xp, grad: xp.zeros_like(grad),
)
