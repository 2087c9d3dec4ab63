"""Kernels of the activation functions: stable formulas, one pass where it is cheap."""

from typing import Any

import numpy as np

from seegrad.arrays import dtypes
from seegrad.arrays.blocks import in_rows
from seegrad.arrays.functions import sigmoid
from seegrad.arrays.picking import pick
from seegrad.arrays.reduce import largest_of, peaks, smallest_of, sums
from seegrad.arrays.refusals import (
    need_float,
    need_numbers,
    need_order,
    refuse_complex,
)

Array = Any  # an ndarray, or the NumPy scalar that a ufunc makes of 0-d arrays


def relu(self: Array) -> Array:
    """The positive part; NaN stays, and -0 (of equal numbers NumPy gives the second)."""
    if self.dtype.kind == "b":
        raise RuntimeError("Boolean inputs not supported for relu")
    refuse_complex(self, "clamp is not supported for complex types", NotImplementedError)
    return np.maximum(0, self)


def leaky_relu(self: Array, negative_slope: float) -> Array:
    """Self, times a slope where it is negative."""
    need_float(self, "leaky_relu_cpu")
    return pick(self > 0, self, self * negative_slope)


def rrelu_with_noise(
    self: Array, noise: Array, lower: float, upper: float, training: bool
) -> Array:
    """Self times slopes that were drawn; later their mean where self is negative."""
    need_float(self, "rrelu_with_noise_out_cpu")
    return self * noise if training else pick(self > 0, self, self * ((lower + upper) / 2))


def elu(self: Array, alpha: float, scale: float, input_scale: float) -> Array:
    """Scaled self, and an exponential bend to `-alpha * scale` where self is negative."""
    need_float(self, "elu_cpu")
    bend = np.expm1(np.minimum(0, self) * input_scale) * (alpha * scale)
    return pick(self > 0, self * scale, bend)


def celu(self: Array, alpha: float) -> Array:
    """The same bend, with a slope of one on both sides of zero."""
    need_float(self, "elu_cpu")
    if alpha == 0:
        raise RuntimeError("ZeroDivisionError: alpha cannot be 0 for CELU")
    return pick(self > 0, self, alpha * np.expm1(np.minimum(0, self) / alpha))


def mish(self: Array) -> Array:
    """`self * tanh(softplus(self))`."""
    need_float(self, "mish_cpu")
    return self * np.tanh(np.logaddexp(self, 0).astype(self.dtype))


def softplus(self: Array, beta: float, threshold: float) -> Array:
    """`log(1 + exp(beta self)) / beta`, self itself above the threshold."""
    need_float(self, "softplus_cpu")
    scaled = self * beta
    smooth = np.log1p(np.exp(np.minimum(scaled, threshold))) / beta
    return pick(scaled > threshold, self, smooth)


def log_sigmoid(self: Array) -> Array:
    """`log(sigmoid(self))` without overflow."""
    need_float(self, "log_sigmoid_cpu")
    return np.minimum(self, 0) - np.log1p(np.exp(-np.abs(self)))


def hardtanh(self: Array, min_val: float, max_val: float) -> Array:
    """Self within two numbers, which take self's type."""
    if self.dtype.kind == "b":
        raise RuntimeError("Bool inputs not supported for hardtanh")
    refuse_complex(self, "clamp is not supported for complex types", NotImplementedError)
    if self.dtype.kind == "u" and (int(min_val) < 0 or int(max_val) < 0):
        raise RuntimeError("cannot do hardtanh on an unsigned type with negative limits")
    number = float if self.dtype.kind == "f" else int
    return np.clip(self, number(min_val), number(max_val))


def hardsigmoid(self: Array) -> Array:
    """`(self + 3) / 6` within 0 and 1."""
    need_float(self, "hardsigmoid_cpu")
    return np.clip(self + 3, 0, 6) / 6


def hardswish(self: Array) -> Array:
    """Self times its hardsigmoid."""
    need_float(self, "hardswish_cpu")
    return self * np.clip(self + 3, 0, 6) / 6


def hardshrink(self: Array, lambd: float) -> Array:
    """Zero within lambd of zero, self elsewhere."""
    need_float(self, "hardshrink_cpu")
    return pick((self >= -lambd) & (self <= lambd), 0, self)


def softshrink(self: Array, lambd: float) -> Array:
    """Self drawn lambd towards zero; NaN stays."""
    need_float(self, "softshrink_cpu")
    if lambd < 0:
        raise RuntimeError(
            f"lambda must be in range [0, {np.finfo(self.dtype).max:g}] for input dtype "
            f"{dtypes.from_numpy(self.dtype).scalar_name}, but found {lambd:g}"
        )
    return pick(self > lambd, self - lambd, pick(self < -lambd, self + lambd, self * 0))


def threshold(self: Array, threshold: float, value: float) -> Array:
    """Self above the threshold, value elsewhere."""
    need_numbers(self, "threshold_cpu")
    need_order(self, "threshold_cpu")
    return pick(self <= threshold, value, self).astype(self.dtype)


def prelu_kernel(self: Array, weight: Array) -> Array:
    """Self, times a learnt slope where it is negative."""
    return pick(self > 0, self, weight * self)


def glu(self: Array, dim: int) -> Array:
    """The first half times the sigmoid of the second."""
    if self.shape[dim] % 2:
        raise RuntimeError(
            f"Halving dimension must be even, but dimension {dim} is size {self.shape[dim]}"
        )
    need_float(self, "glu_cpu")
    first, second = np.split(self, 2, axis=dim)
    return first * sigmoid(second)


def _place(self: Array, dim: int) -> str:
    """What the names of kernels say of the dimension."""
    return "lastdim_" if self.ndim == 0 or dim % self.ndim == self.ndim - 1 else ""


def softmax(self: Array, dim: int) -> Array:
    """Exponentials along a dimension, divided by their sum."""
    if self.size:
        need_float(self, f"softmax_{_place(self, dim)}kernel_impl")
    if self.ndim == 0 or self.size == 0:
        return np.ones_like(self)
    return in_rows(_softmax, dim, np.empty_like(self), self)


def _softmax(dim: int, out: Array, self: Array) -> None:
    _, total = exponentials(self, dim, out)
    out /= total


def exponentials(self: Array, dim: int, out: Array) -> tuple[Any, Array]:
    """Writes exponentials of self less a shift; returns the shift and sums along a dimension.

    No shift is needed where no exponential is too large, and none that counts too small.
    """
    if self.size and largest_of(self, None) < 64:
        total = sums(np.exp(self, out=out), dim)
        if smallest_of(total, None) > 1e-3:
            return 0, total
    shift = peaks(self, dim)
    shift[shift == -np.inf] = 0
    np.exp(np.subtract(self, shift, out=out), out=out)
    return shift, sums(out, dim)


def softmax_backward(grad: Array, wanted: tuple[bool], result: Array, dim: int) -> tuple[Array]:
    """`y (grad - sum(grad y))` (Note [Fast])."""
    if result.ndim == 0:
        return (np.zeros_like(result),)
    return (in_rows(_softmax_back, dim, np.empty_like(result), grad, result),)


def _softmax_back(dim: int, out: Array, grad: Array, result: Array) -> None:
    np.multiply(grad, result, out=out)
    np.subtract(grad, sums(out, dim), out=out)
    out *= result


def log_softmax(self: Array, dim: int) -> Array:
    """The logarithm of softmax, exact where that is small."""
    if self.size == 0:
        return np.zeros_like(self)
    need_float(self, f"log_softmax_{_place(self, dim)}kernel_impl")
    if self.ndim == 0:
        return np.zeros_like(self)
    return in_rows(_log_softmax, dim, np.empty_like(self), self)


def _log_softmax(dim: int, out: Array, self: Array) -> None:
    np.subtract(self, peaks(self, dim), out=out)
    out -= np.log(sums(np.exp(out), dim))


def log_softmax_backward(
    grad: Array, wanted: tuple[bool], result: Array, dim: int
) -> tuple[Array]:
    """`grad - exp(y) sum(grad)` (Note [Fast])."""
    if result.ndim == 0:
        return (grad - np.exp(result) * grad,)
    return (in_rows(_log_softmax_back, dim, np.empty_like(result), grad, result),)


def _log_softmax_back(dim: int, out: Array, grad: Array, result: Array) -> None:
    np.exp(result, out=out)
    out *= sums(grad, dim)
    np.subtract(grad, out, out=out)
