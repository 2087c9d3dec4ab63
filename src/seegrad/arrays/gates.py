"""Kernels of self times a gate: gelu and silu, and their gradients.

They are many ufuncs over the same numbers, so they go through memory a block at a time.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from seegrad.arrays.functions import erf
from seegrad.arrays.refusals import need_float, need_inexact

Array = Any  # an ndarray

BLOCK = 1 << 14  # elements of a block, which stay in the cache


def in_blocks(part: Callable[..., None], out: Array, *arrays: Array) -> Array:
    """Calls `part(out, *arrays)`, which writes into `out`, on a block of all at a time."""
    if not all(one.flags.c_contiguous for one in (out, *arrays)):
        part(out, *arrays)
        return out
    flat, *others = (one.reshape(-1) for one in (out, *arrays))
    for first in range(0, flat.size, BLOCK):
        span = slice(first, first + BLOCK)
        part(flat[span], *(one[span] for one in others))
    return out


def gelu(self: Array, approximate: str) -> Array:
    """Self times the probability that a normal number is below it."""
    need_float(self, "GeluKernelImpl")
    if approximate not in ("none", "tanh"):
        raise RuntimeError("approximate argument must be either none or tanh.")
    return in_blocks(_gelu if approximate == "none" else _gelu_tanh, np.empty_like(self), self)


def gelu_backward(
    grad: Array, wanted: tuple[bool, ...], self: Array, approximate: str
) -> tuple[Array]:
    """Times the probability, and self times its density."""
    part = _gelu_back if approximate == "none" else _gelu_tanh_back
    return (in_blocks(part, np.empty_like(self), grad, self),)


def _gelu(out: Array, self: Array) -> None:
    probability, _ = _below(self)
    np.multiply(self, probability, out=out)


def _gelu_back(out: Array, grad: Array, self: Array) -> None:
    probability, bell = _below(self)
    bell *= self
    bell *= 1 / math.sqrt(2 * math.pi)
    bell += probability
    np.multiply(grad, bell, out=out)


def _below(self: Array) -> tuple[Array, Array]:
    """The probability that a normal number is below self, and `exp(-self**2 / 2)`.

    In single precision by a polynomial of `k = 1 / (1 + p |x|)` (Abramowitz and Stegun, 7.1.26),
    which is off by 1e-7 at most; SciPy's function takes four times as long.
    """
    bell = np.square(self)
    bell *= -0.5
    np.exp(bell, out=bell)
    if self.dtype != np.float32:
        return 0.5 * (1 + erf(self * math.sqrt(0.5))), bell
    k = np.absolute(self)
    k *= 0.3275911 * math.sqrt(0.5)
    k += 1
    np.reciprocal(k, out=k)
    tail = k * np.float32(1.061405429)
    for coefficient in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        tail += coefficient
        tail *= k
    tail *= bell
    np.subtract(1, tail, out=tail)
    np.copysign(tail, self, out=tail)
    tail += 1
    tail *= 0.5
    return tail, bell


def _gelu_tanh(out: Array, self: Array) -> None:
    np.multiply(_bend(self), self, out=out)
    out += self
    out *= 0.5


SCALE, CUBIC = math.sqrt(2 / math.pi), 0.044715


def _bend(self: Array) -> Array:
    """`tanh(u)`, u a cubic in self."""
    inner = np.square(self)
    inner *= SCALE * CUBIC
    inner += SCALE
    inner *= self
    return np.tanh(inner, out=inner)


def _gelu_tanh_back(out: Array, grad: Array, self: Array) -> None:
    bend = _bend(self)
    slope = np.square(self)
    slope *= 3 * SCALE * CUBIC
    slope += SCALE
    slope *= self
    slope *= 1 - bend * bend
    slope += bend
    slope += 1
    slope *= 0.5
    np.multiply(grad, slope, out=out)


def silu(self: Array) -> Array:
    """Self times its sigmoid."""
    need_inexact(self, "silu_cpu")
    return in_blocks(_silu, np.empty_like(self), self)


def silu_backward(grad: Array, wanted: tuple[bool, ...], self: Array) -> tuple[Array]:
    """Times `s (1 + x (1 - s))`, s the sigmoid of x."""
    return (in_blocks(_silu_back, np.empty_like(self), grad, self),)


def _silu(out: Array, self: Array) -> None:
    np.divide(self, _one_and_exponential(self), out=out)


def _silu_back(out: Array, grad: Array, self: Array) -> None:
    gate = np.reciprocal(_one_and_exponential(self))
    slope = 1 - gate
    slope *= self
    slope += 1
    slope *= gate
    np.multiply(grad, slope, out=out)


def _one_and_exponential(self: Array) -> Array:
    """`1 + exp(-self)`: inf where the sigmoid is 0."""
    out = np.negative(self)
    np.exp(out, out=out)
    out += 1
    return out
