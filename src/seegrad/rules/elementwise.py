"""Derivatives of arithmetic, powers, rounding and choosing.

Conventions at kinks and ties are PyTorch's: abs has slope 0 at 0, maximum and minimum share a tie
evenly, fmax and fmin give it to self, clamp passes the gradient at its bounds.
"""

import cmath
import math
from typing import Any

from seegrad.rules.spec import elementwise, not_implemented

Xp = Any  # a namespace of operators: `raw` on arrays or `recorded` on tensors
Value = Any  # an array or a tensor, as the namespace has it


def nothing(xp: Xp, grad: Value) -> Value:
    """The gradient of steps: zero everywhere."""
    return xp.zeros_like(grad)


# Arithmetic

elementwise(
    "add(self, other)",
    attributes={"alpha": 1},
    self=lambda xp, grad: grad,
    other=lambda xp, grad: grad,
)
elementwise(
    "sub(self, other)",
    bools=False,
    attributes={"alpha": 1},
    self=lambda xp, grad: grad,
    other=lambda xp, grad: -grad,
)
elementwise(
    "add_scaled(self, other, alpha)",
    node="AddBackward0",
    self=lambda xp, grad: grad,
    other=lambda xp, grad, alpha: grad * alpha,
)
elementwise(
    "sub_scaled(self, other, alpha)",
    node="SubBackward0",
    self=lambda xp, grad: grad,
    other=lambda xp, grad, alpha: -grad * alpha,
)
elementwise(
    "rsub(self, other, alpha)",
    self=lambda xp, grad, alpha: -grad * alpha,
    other=lambda xp, grad: grad,
)
elementwise(
    "rsub_scalar(self, other)",
    node="RsubBackward1",
    attributes={"alpha": 1},
    self=lambda xp, grad: -grad,
)
elementwise(
    "mul(self, other)",
    self=lambda xp, grad, other: grad * other,
    other=lambda xp, grad, self: grad * self,
)
elementwise(
    "div(self, other)",
    promote="float",
    self=lambda xp, grad, other: grad / other,
    other=lambda xp, grad, self, other: -grad * ((self / other) / other),
)
elementwise(
    "div_mode(self, other, rounding_mode)",
    node="DivBackward2",
    shown="rounding_mode",
    self=nothing,
    other=nothing,
)
elementwise(
    "floor_divide(self, other)",
    node="NotImplemented",
    self=not_implemented("floor_divide"),
    other=not_implemented("floor_divide"),
    written={
        "node": "NotImplemented",
        "self": not_implemented("floor_divide_"),
        "other": not_implemented("floor_divide_"),
    },
)
elementwise(
    "remainder(self, other)",
    node="RemainderBackward1",
    self=lambda xp, grad: grad,
    other=lambda xp, grad, self, other: -grad * xp.div_mode(self, other, "floor"),
)
elementwise("remainder_scalar(self, other)", node="RemainderBackward0", self=lambda xp, grad: grad)
elementwise(
    "fmod(self, other)",
    node="FmodBackward1",
    self=lambda xp, grad: grad,
    other=lambda xp, grad, self, other: -grad * xp.div_mode(self, other, "trunc"),
)
elementwise("fmod_scalar(self, other)", node="FmodBackward0", self=lambda xp, grad: grad)
elementwise("neg(self)", self=lambda xp, grad: -grad)
elementwise(
    "reciprocal(self)", promote="float", self=lambda xp, grad, result: -grad * (result * result)
)
elementwise(
    "addcmul(self, tensor1, tensor2, value=1)",
    self=lambda xp, grad: grad,
    tensor1=lambda xp, grad, tensor2, value: grad * (tensor2 * value),
    tensor2=lambda xp, grad, tensor1, value: grad * (tensor1 * value),
)
elementwise(
    "addcdiv(self, tensor1, tensor2, value=1)",
    self=lambda xp, grad: grad,
    tensor1=lambda xp, grad, tensor2, value: grad * (value / tensor2),
    tensor2=lambda xp, grad, tensor1, tensor2, value: (
        -grad * (value * tensor1 / (tensor2 * tensor2))
    ),
)
elementwise(
    "lerp_scalar(self, end, weight)",
    node="LerpBackward0",
    self=lambda xp, grad, weight: grad * (1 - weight),
    end=lambda xp, grad, weight: grad * weight,
)
elementwise(
    "lerp(self, end, weight)",
    node="LerpBackward1",
    self=lambda xp, grad, weight: grad * (1 - weight),
    end=lambda xp, grad, weight: grad * weight,
    weight=lambda xp, grad, self, end: grad * (end - self),
)


# Powers


def pow_scalar_self(xp: Xp, grad: Value, self: Value, exponent: Any) -> Value:
    """`n x^(n-1)`, and 0 for `x^0`, at 0 too."""
    if exponent == 0:
        return xp.zeros_like(grad)
    slope = xp.pow_scalar(self, exponent - 1)
    return grad * (slope if exponent == 1 else exponent * slope)


def pow_self(xp: Xp, grad: Value, self: Value, exponent: Value) -> Value:
    """`y x^(y-1)`, and 0 where y is 0."""
    slope = exponent * xp.pow(self, exponent - 1)
    return xp.where(exponent == 0, 0.0, grad * slope)


def pow_exponent(xp: Xp, grad: Value, self: Value, exponent: Value, result: Value) -> Value:
    """`x^y log x`, and 0 where x is 0 and y is not negative: `0^y` is flat there.

    A complex power of a negative number has a complex logarithm, so the base is cast first.
    """
    flat = (self == 0) & (xp.real(exponent) >= 0)
    base = self if self.dtype == result.dtype else self + xp.zeros_like(result)
    return xp.where(flat, 0.0, grad * (result * xp.log(base)))


def pow_base_exponent(xp: Xp, grad: Value, self: Any, exponent: Value, result: Value) -> Value:
    """`b^y log b` for a number b."""
    if self == 0:
        return xp.where(xp.real(exponent) >= 0, 0.0, grad * (result * -math.inf))
    if isinstance(self, complex) or (self < 0 and is_complex(result)):
        return grad * (result * cmath.log(self))
    return grad * (result * (math.log(self) if self > 0 else math.nan))


def is_complex(value: Value) -> bool:
    """Whether an array or a tensor is complex."""
    return "complex" in str(value.dtype)


elementwise("pow_scalar(self, exponent)", node="PowBackward0", self=pow_scalar_self)
elementwise("pow(self, exponent)", node="PowBackward1", self=pow_self, exponent=pow_exponent)
elementwise("pow_base(self, exponent)", node="PowBackward2", exponent=pow_base_exponent)
elementwise("sqrt(self)", promote="float", self=lambda xp, grad, result: grad / (2 * result))
elementwise(
    "rsqrt(self)",
    promote="float",
    self=lambda xp, grad, result: -0.5 * grad * xp.pow_scalar(result, 3),
)


# Signs and rounding


def sgn_self(xp: Xp, grad: Value, self: Value, result: Value) -> Value:
    """What of grad is at right angles to self, over the size of self; 0 for real numbers."""
    size = xp.abs(self)
    turned = grad / xp.where(size == 0, 1.0, size)
    along = turned * xp.conj(result)
    return xp.where(size == 0, 0.0, turned - 0.5 * (along + xp.conj(along)) * result)


def copysign_self(xp: Xp, grad: Value, self: Value, result: Value) -> Value:
    """1 where the sign stayed, -1 where it changed, 0 at 0."""
    at_zero = self == 0
    return xp.where(at_zero, 0.0, grad * (result / xp.where(at_zero, 1.0, self)))


elementwise("abs(self)", holomorphic=False, self=lambda xp, grad, self: grad * xp.sgn(self))
elementwise("sgn(self)", holomorphic=False, self=sgn_self)
elementwise("sign(self)", self=nothing)
elementwise("floor(self)", self=nothing)
elementwise("ceil(self)", self=nothing)
elementwise("trunc(self)", self=nothing)
elementwise("round(self)", self=nothing)
elementwise("round_decimals(self, decimals)", node="RoundBackward1", self=nothing)
elementwise("frac(self)", self=lambda xp, grad: grad)
elementwise("copysign(self, other)", promote="float", self=copysign_self, other=nothing)
elementwise(
    "copysign_scalar(self, other)",
    promote="float",
    node="CopysignBackward1",
    self=copysign_self,
)
elementwise(
    "heaviside(self, values)",
    node="NotImplemented",
    self=not_implemented("heaviside"),
    values=not_implemented("heaviside"),
    written={
        "node": "NotImplemented",
        "self": not_implemented("heaviside_"),
        "values": not_implemented("heaviside_"),
    },
)


# Choosing


def within(self: Value, min: Any, max: Any) -> Value:
    """Where self is within its bounds, the bounds among them."""
    if min is None:
        return self <= max
    return self >= min if max is None else (self >= min) & (self <= max)


def clamp_self(xp: Xp, grad: Value, self: Value, min: Any, max: Any) -> Value:
    """grad where self is within its bounds."""
    return xp.where(within(self, min, max), grad, 0.0)


def larger_of(xp: Xp, grad: Value, mine: Value, other: Value) -> Value:
    """grad where mine is the larger, half of it at ties."""
    return xp.where(mine == other, grad / 2, xp.where(mine < other, 0.0, grad))


elementwise(
    "maximum(self, other)",
    self=lambda xp, grad, self, other: larger_of(xp, grad, self, other),
    other=lambda xp, grad, self, other: larger_of(xp, grad, other, self),
)
elementwise(
    "minimum(self, other)",
    self=lambda xp, grad, self, other: larger_of(xp, grad, -self, -other),
    other=lambda xp, grad, self, other: larger_of(xp, grad, -other, -self),
)
elementwise(
    "fmax(self, other)",
    self=lambda xp, grad, self, other: xp.where((self >= other) | xp.isnan(other), grad, 0.0),
    other=lambda xp, grad, self, other: xp.where((self >= other) | xp.isnan(other), 0.0, grad),
)
elementwise(
    "fmin(self, other)",
    self=lambda xp, grad, self, other: xp.where((self <= other) | xp.isnan(other), grad, 0.0),
    other=lambda xp, grad, self, other: xp.where((self <= other) | xp.isnan(other), 0.0, grad),
)
elementwise("clamp(self, min=None, max=None)", node="ClampBackward1", self=clamp_self)
elementwise(
    "clamp_min(self, min)", self=lambda xp, grad, self, min: xp.where(self >= min, grad, 0.0)
)
elementwise(
    "clamp_max(self, max)", self=lambda xp, grad, self, max: xp.where(self <= max, grad, 0.0)
)
elementwise(
    "clamp_tensor(self, min, max)",
    node="ClampBackward0",
    self=clamp_self,
    min=lambda xp, grad, self, min, max: xp.where((min < max) & (self < min), grad, 0.0),
    max=lambda xp, grad, self, min, max: xp.where((self > max) | (max < min), grad, 0.0),
)
elementwise(
    "clamp_min_tensor(self, min)",
    node="ClampMinBackward1",
    self=lambda xp, grad, self, min: xp.where(self >= min, grad, 0.0),
    min=lambda xp, grad, self, min: xp.where(self < min, grad, 0.0),
)
elementwise(
    "clamp_max_tensor(self, max)",
    node="ClampMaxBackward1",
    self=lambda xp, grad, self, max: xp.where(self <= max, grad, 0.0),
    max=lambda xp, grad, self, max: xp.where(self > max, grad, 0.0),
)
elementwise(
    "clamp_tensor_min(self, min)",
    node="ClampBackward0",
    self=lambda xp, grad, self, min: xp.where(self >= min, grad, 0.0),
    min=lambda xp, grad, self, min: xp.where(self < min, grad, 0.0),
)
elementwise(
    "clamp_tensor_max(self, max)",
    node="ClampBackward0",
    self=lambda xp, grad, self, max: xp.where(self <= max, grad, 0.0),
    max=lambda xp, grad, self, max: xp.where(self > max, grad, 0.0),
)
elementwise(
    "where(condition, self, other)",
    operands="condition self other",
    self=lambda xp, grad, condition: xp.where(condition, grad, 0.0),
    other=lambda xp, grad, condition: xp.where(condition, 0.0, grad),
)
elementwise(
    "nan_to_num(self, nan=None, posinf=None, neginf=None)",
    self=lambda xp, grad, self: xp.where(xp.isfinite(self), grad, 0.0),
)
