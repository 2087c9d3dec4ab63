"""Elementwise kernels: arithmetic, powers, rounding, choosing.

Names and argument order are PyTorch's. Where NumPy's ufunc is right it *is* the kernel; the others
say what NumPy does differently. Kernels run with floating-point warnings off and never see half
precision.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from seegrad.arrays import dtypes
from seegrad.arrays.picking import pick
from seegrad.arrays.refusals import (
    need_float,
    need_inexact,
    need_numbers,
    need_order,
    refuse_complex,
)

Array = Any  # an ndarray, or the NumPy scalar that a ufunc makes of 0-d arrays
Number = bool | int | float | complex


# Arithmetic

add = np.add
mul = np.multiply
div = np.true_divide
reciprocal = np.reciprocal
square = np.square


def sub(self: Array, other: Array) -> Array:
    """`self - other`, which bools do not have."""
    try:
        return np.subtract(self, other)
    except TypeError:
        raise RuntimeError(
            "Subtraction, the `-` operator, with two bool tensors is not supported. "
            "Use the `^` or `logical_xor()` operator instead."
        ) from None


def neg(self: Array) -> Array:
    """`-self`, which bools do not have."""
    try:
        return np.negative(self)
    except TypeError:
        raise RuntimeError(
            "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to "
            "invert a mask, use the `~` or `logical_not()` operator instead."
        ) from None


def _check_alpha(self: Array, alpha: Number) -> None:
    if self.dtype.kind in "iu" and isinstance(alpha, float | complex):
        raise RuntimeError(
            "For integral input tensors, argument alpha must not be a floating point number."
        )


def _times(self: Array, alpha: Number) -> Array:
    return np.multiply(self, dtypes.as_type(alpha, self.dtype))


def add_scaled(self: Array, other: Array, alpha: Number) -> Array:
    """`self + alpha * other`."""
    _check_alpha(self, alpha)
    if self.dtype.kind == "b":
        return np.logical_or(self, np.logical_and(other, bool(alpha)))
    return np.add(self, _times(other, alpha))


def sub_scaled(self: Array, other: Array, alpha: Number) -> Array:
    """`self - alpha * other`."""
    _check_alpha(self, alpha)
    return sub(self, other if self.dtype.kind == "b" else _times(other, alpha))


def _refuse_bool_subtraction(self: Array) -> None:
    if self.dtype.kind == "b":
        raise RuntimeError(
            "Subtraction, the `-` operator, with a bool tensor is not supported. If you are "
            "trying to invert a mask, use the `~` or `logical_not()` operator instead."
        )


def rsub_scalar(self: Array, other: Number) -> Array:
    """`other - self` for a number."""
    _refuse_bool_subtraction(self)
    if self.dtype.kind in "iu" and isinstance(other, int):
        other = dtypes.as_type(other, self.dtype)
    return np.subtract(other, self)


def rsub(self: Array, other: Array, alpha: Number) -> Array:
    """`other - alpha * self`."""
    _check_alpha(self, alpha)
    return sub(other, self if alpha == 1 else _times(self, alpha))


def _check_divisor(other: Array) -> None:
    if other.dtype.kind in "iu" and not np.all(other):
        raise RuntimeError("ZeroDivisionError")


def floor_divide(self: Array, other: Array) -> Array:
    """The quotient rounded down."""
    need_numbers(self, "div_floor_cpu")
    need_order(self, "div_floor_cpu")
    _check_divisor(other)
    quotient = np.floor_divide(self, other)
    if self.dtype.kind != "f":
        return quotient
    return np.where(other == 0, np.true_divide(self, other), quotient)


def div_mode(self: Array, other: Array, rounding_mode: str) -> Array:
    """The quotient rounded to zero ('trunc') or down ('floor')."""
    if rounding_mode == "floor":
        return floor_divide(self, other)
    need_numbers(self, "div_trunc_cpu")
    need_order(self, "div_trunc_cpu")
    _check_divisor(other)
    if self.dtype.kind == "f":
        return np.trunc(np.true_divide(self, other))
    return np.floor_divide(self - np.fmod(self, other), other)


def remainder(self: Array, other: Array) -> Array:
    """The remainder that has the divisor's sign; zero has the dividend's."""
    need_numbers(self, "remainder_cpu")
    need_order(self, "remainder_cpu")
    _check_divisor(other)
    result = np.asarray(np.remainder(self, other))
    if result.dtype.kind == "f":
        np.copysign(result, self, out=result, where=result == 0)
    return result


def fmod(self: Array, other: Array) -> Array:
    """The remainder that has the dividend's sign."""
    need_numbers(self, "fmod_cpu")
    need_order(self, "fmod_cpu")
    _check_divisor(other)
    return np.fmod(self, other)


def remainder_scalar(self: Array, other: Number) -> Array:
    """The same with a number as divisor."""
    return remainder(self, np.asarray(other, self.dtype))


def fmod_scalar(self: Array, other: Number) -> Array:
    """The same with a number as divisor."""
    return fmod(self, np.asarray(other, self.dtype))


# Powers


def _cube(self: Array) -> Array:
    return self * self * self


_POWERS: dict[Number, Callable[[Array], Array]] = {
    -1: np.reciprocal,
    0: np.ones_like,
    0.5: np.sqrt,
    1: np.positive,
    2: np.square,
    3: _cube,
}


def pow_scalar(self: Array, exponent: Number) -> Array:
    """`self ** exponent` for a number; NumPy's power is slow where another ufunc says the same."""
    kind = self.dtype.kind
    if kind in "fc" and exponent in _POWERS:
        return _POWERS[exponent](self)
    if kind in "iub" and exponent < 0:  # type: ignore[operator]
        raise RuntimeError("Integers to negative integer powers are not allowed.")
    return np.power(self, exponent)


def pow(self: Array, exponent: Array) -> Array:
    """`self ** exponent` for tensors; a negative integer power of an integer is what C gives."""
    need_numbers(self, "pow")
    if self.dtype.kind not in "iu" or not np.any(exponent < 0):
        return np.power(self, exponent)
    whole = np.power(self, np.maximum(exponent, 0))
    odd = np.where(exponent % 2, self, 1)
    return np.where(exponent < 0, np.where(np.abs(self) == 1, odd, 0), whole).astype(self.dtype)


def pow_base(self: Number, exponent: Array) -> Array:
    """`self ** exponent` for a number as base."""
    if exponent.dtype.kind not in "iu":
        return np.power(self, exponent)
    return pow(np.asarray(self, exponent.dtype), exponent)


sqrt = np.sqrt


def rsqrt(self: Array) -> Array:
    """One over the square root."""
    return np.reciprocal(np.sqrt(self))


# Signs and rounding

_USE_SGN = (
    "Unlike NumPy, torch.sign is not intended to support complex numbers. "
    "Please use torch.sgn instead."
)


def abs(self: Array) -> Array:
    """The absolute value, real where self is complex."""
    need_numbers(self, "abs_cpu")
    return np.absolute(self)


def sign(self: Array) -> Array:
    """-1, 0 or 1; 0 for NaN, where NumPy says NaN."""
    if self.dtype.kind == "f":
        return np.where(np.isnan(self), 0, np.sign(self))
    refuse_complex(self, _USE_SGN, NotImplementedError)
    return self.copy() if self.dtype.kind == "b" else np.sign(self)


def sgn(self: Array) -> Array:
    """`self / |self|`, and 0 at 0."""
    if self.dtype.kind != "c":
        return sign(self)
    size = np.absolute(self)
    return np.where(size == 0, 0, self / size).astype(self.dtype)


def signbit(self: Array) -> Array:
    """Whether the sign bit is set: true for -0.0 too."""
    text = "signbit is not implemented for complex tensors."
    refuse_complex(self, text, NotImplementedError)
    return np.signbit(self) if self.dtype.kind == "f" else self < 0


def copysign(self: Array, other: Array) -> Array:
    """The size of self with the sign of other."""
    need_order(self, "copysign_cpu")
    return np.copysign(self, other)


def copysign_scalar(self: Array, other: Number) -> Array:
    """The size of self with the sign of a number."""
    need_order(self, "copysign_cpu")
    return np.copysign(self, other)


def floor(self: Array) -> Array:
    """Rounded down."""
    refuse_complex(self, "floor is not supported for complex inputs", NotImplementedError)
    need_numbers(self, "floor_vml_cpu")
    return np.floor(self)


def ceil(self: Array) -> Array:
    """Rounded up."""
    refuse_complex(self, "ceil is not supported for complex inputs", NotImplementedError)
    need_numbers(self, "ceil_vml_cpu")
    return np.ceil(self)


def trunc(self: Array) -> Array:
    """Rounded towards zero."""
    refuse_complex(self, "trunc is not supported for complex inputs", NotImplementedError)
    need_numbers(self, "trunc_vml_cpu")
    return np.trunc(self)


def round(self: Array) -> Array:
    """Rounded to the nearest integer, halves to even."""
    need_order(self, "round_vml_cpu")
    need_numbers(self, "round_vml_cpu")
    return np.rint(self) if self.dtype.kind == "f" else self.copy()


def round_decimals(self: Array, decimals: int) -> Array:
    """Rounded to a number of digits after the point."""
    need_float(self, "round_cpu")
    scale = 10.0 ** max(decimals, -decimals)
    if decimals < 0:
        return np.rint(self / scale) * scale
    return np.rint(self * scale) / scale


def frac(self: Array) -> Array:
    """What is after the point, with self's sign."""
    need_float(self, "frac_cpu")
    return self - np.trunc(self)


# Choosing


def maximum(self: Array, other: Array) -> Array:
    """The larger, or NaN."""
    refuse_complex(self, "maximum not implemented for complex tensors.")
    return np.maximum(self, other)


def minimum(self: Array, other: Array) -> Array:
    """The smaller, or NaN."""
    refuse_complex(self, "minimum not implemented for complex tensors.")
    return np.minimum(self, other)


def fmax(self: Array, other: Array) -> Array:
    """The larger; NaN counts as missing."""
    refuse_complex(self, "fmax not implemented for complex tensors.")
    return np.fmax(self, other)


def fmin(self: Array, other: Array) -> Array:
    """The smaller; NaN counts as missing."""
    refuse_complex(self, "fmin not implemented for complex tensors.")
    return np.fmin(self, other)


def _refuse_clamp(self: Array) -> None:
    refuse_complex(self, "clamp is not supported for complex types", NotImplementedError)


def clamp(self: Array, min: Number | None, max: Number | None) -> Array:
    """Self within numbers; NaN stays, and max wins where min is larger."""
    _refuse_clamp(self)
    if self.dtype.kind in "iu":
        min, max = (n if n is None else dtypes.checked_number(n, self.dtype) for n in (min, max))
    # Of equal numbers NumPy gives the second: -0 stays.
    result = self if min is None else np.maximum(min, self)
    return result if max is None else np.minimum(max, result)


def clamp_tensor(self: Array, min: Array, max: Array) -> Array:
    """Self within tensors."""
    _refuse_clamp(self)
    return np.minimum(np.maximum(self, min), max)


def clamp_min(self: Array, min: Array | Number) -> Array:
    """Self, or the bound where self is below it."""
    _refuse_clamp(self)
    return np.maximum(self, min)


def clamp_max(self: Array, max: Array | Number) -> Array:
    """Self, or the bound where self is above it."""
    _refuse_clamp(self)
    return np.minimum(self, max)


def clamp_tensor_min(self: Array, min: Array) -> Array:
    """The same for `clamp(min=...)`."""
    return clamp_min(self, min)


def clamp_tensor_max(self: Array, max: Array) -> Array:
    """The same for `clamp(max=...)`."""
    return clamp_max(self, max)


def clamp_min_tensor(self: Array, min: Array) -> Array:
    """The same with a tensor as bound."""
    return clamp_min(self, min)


def clamp_max_tensor(self: Array, max: Array) -> Array:
    """The same with a tensor as bound."""
    return clamp_max(self, max)


def where(condition: Array, self: Array, other: Array) -> Array:
    """Self where the condition holds, else other."""
    if condition.dtype.kind != "b":
        if condition.dtype != np.uint8:
            raise RuntimeError(
                "where expected condition to be a boolean tensor, but got a tensor with dtype "
                + dtypes.from_numpy(condition.dtype).scalar_name
            )
        condition = condition.astype(np.bool_)
    if other.__class__ is float and other == 0 and _masks(condition, self):
        return _masked(self, condition)
    if self.__class__ is float and self == 0 and _masks(condition, other):
        return _masked(other, ~condition)
    return pick(condition, self, other)


_BITS = {np.dtype(np.float32): np.int32, np.dtype(np.float64): np.int64}


def _masks(condition: Array, values: Any) -> bool:
    """Whether `values` can be masked as bits: contiguous, of the shape of the condition."""
    return (
        values.__class__ is np.ndarray
        and values.dtype in _BITS
        and values.shape == condition.shape
        and values.flags.c_contiguous
        and values.size > 64
    )


def _masked(values: Array, keep: Array) -> Array:
    """`values` where `keep` holds, else +0: ten times as fast as `np.where` on a random mask."""
    bits = _BITS[values.dtype]
    mask = keep.astype(bits)
    np.negative(mask, out=mask)  # all ones where kept
    masked: Array = (values.view(bits) & mask).view(values.dtype)
    return masked


def nan_to_num(
    self: Array, nan: float | None, posinf: float | None, neginf: float | None
) -> Array:
    """NaN and infinities replaced: by zero, and by the largest numbers of the type."""
    if self.dtype.kind not in "fc":
        return self.copy()
    return np.nan_to_num(self, nan=nan or 0.0, posinf=posinf, neginf=neginf)


def lerp_scalar(self: Array, end: Array, weight: Number) -> Array:
    """`self + weight * (end - self)`, exact at both ends."""
    need_inexact(self, "lerp_kernel_scalar")
    if max(weight.real, -weight.real, weight.imag, -weight.imag) >= 0.5:
        return end - (end - self) * (1 - weight)
    return self + weight * (end - self)


def lerp(self: Array, end: Array, weight: Array | Number) -> Array:
    """The same with a tensor of weights."""
    need_inexact(self, "lerp_kernel_tensor")
    span = end - self
    return np.where(np.abs(weight) < 0.5, self + weight * span, end - span * (1 - weight))


def addcmul(self: Array, tensor1: Array, tensor2: Array, value: Number) -> Array:
    """`self + value * tensor1 * tensor2`."""
    return self + tensor1 * tensor2 if value == 1 else self + value * tensor1 * tensor2


_NO_INTEGER_ADDCDIV = (
    "Integer division with addcdiv is no longer supported, and in a future  release addcdiv will "
    "perform a true division of tensor1 and tensor2. The historic addcdiv behavior can be "
    "implemented as (input + value * torch.trunc(tensor1 / tensor2)).to(input.dtype) for integer "
    "inputs and as (input + value * tensor1 / tensor2) for float inputs. The future addcdiv "
    "behavior is just the latter implementation: (input + value * tensor1 / tensor2), for all "
    "dtypes."
)


def addcdiv(self: Array, tensor1: Array, tensor2: Array, value: Number) -> Array:
    """`self + value * tensor1 / tensor2`."""
    if self.dtype.kind in "iub":
        raise RuntimeError(_NO_INTEGER_ADDCDIV)
    return self + value * tensor1 / tensor2


def heaviside(self: Array, values: Array) -> Array:
    """0 below zero, 1 above, values at zero."""
    refuse_complex(self, "heaviside is not yet implemented for complex tensors.")
    return np.where(self == 0, values, self > 0).astype(self.dtype)
