"""Logarithm, sine and cosine in single precision, by the polynomials of the Cephes library.

PyTorch makes its normal numbers with these polynomials and fused multiply-adds, so ours are equal
to the last bit, on every machine. For other purposes NumPy's functions are faster and as exact.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

Array = np.ndarray[Any, Any]

single = np.float32

# log(1 + x) = x - x**2 / 2 + x**3 * polynomial(x), highest power first.
_LOG: Final = [
    single(value)
    for value in [
        7.0376836292e-2,
        -1.1514610310e-1,
        1.1676998740e-1,
        -1.2420140846e-1,
        1.4249322787e-1,
        -1.6668057665e-1,
        2.0000714765e-1,
        -2.4999993993e-1,
        3.3333331174e-1,
    ]
]
# log(2) in two parts: the first has few digits, so that its multiples are exact.
_LOG2_HIGH: Final = single(0.693359375)
_LOG2_LOW: Final = single(-2.12194440e-4)
_SQRT_HALF: Final = single(0.707106781186547524)

# sin(x) = x + x**3 * polynomial(x**2); cos(x) = 1 - x**2 / 2 + x**4 * polynomial(x**2).
_SIN: Final = [single(-1.9515295891e-4), single(8.3321608736e-3), single(-1.6666654611e-1)]
_COS: Final = [
    single(value) for value in [2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2]
]
_SIGN: Final = np.int32(-(2**31))
_EIGHTHS: Final = single(1.27323954473516)  # of a turn: 4 / pi
# pi / 4 in three parts, negated.
_EIGHTH: Final = [-0.78515625, -2.4187564849853515625e-4, -3.77489497744594108e-8]


def _fused(x: Any, y: Any, z: Any) -> Array:
    """Return x * y + z rounded once: float64 holds the product exactly."""
    # Cast before: a ufunc that casts its operands takes 2 us more.
    total = x.astype(np.float64)
    total *= y.astype(np.float64)
    total += z.astype(np.float64)
    rounded: Array = total.astype(single)
    return rounded


def _polynomial(coefficients: list[Any], x: Array) -> Array:
    wide = x.astype(np.float64)
    value = wide * coefficients[0]
    value += coefficients[1]
    for coefficient in coefficients[2:]:
        value[...] = value.astype(single)
        value *= wide
        value += coefficient
    rounded: Array = value.astype(single)
    return rounded


def log(x: Array) -> Array:
    """Return the natural logarithm of positive float32 numbers, shape as `x`."""
    fraction, exponent = np.frexp(x)
    is_low = (fraction < _SQRT_HALF).astype(single)
    power = exponent.astype(single) - is_low
    # 1 + rest lies between sqrt(1/2) and sqrt(2).
    rest = fraction * is_low + (fraction - single(1))
    square = rest * rest
    cubic = _polynomial(_LOG, rest) * rest
    tail = _fused(cubic, square, power * _LOG2_LOW)
    tail = _fused(square, single(-0.5), tail)
    return _fused(power, _LOG2_HIGH, rest + tail)


def sin_cos(angle: Array) -> tuple[Array, Array]:
    """Return sine and cosine of float32 angles between 0 and a few turns, shapes as `angle`."""
    # The nearest even number of eighths of a turn, and the angle from there.
    eighths = ((angle * _EIGHTHS).astype(np.int32) + 1) & ~1
    rest = angle
    for part in _EIGHTH:
        rest = _fused(eighths.astype(single), single(part), rest)
    square = rest * rest
    cosine = _fused(_polynomial(_COS, square) * square, square, square * single(-0.5)) + single(1)
    sine = _fused(_polynomial(_SIN, square) * square, rest, rest)
    # By bits, because a choice between numbers takes ten times as long: sine and cosine change
    # places in every second quarter of a turn, and have signs.
    sines, cosines = sine.view(np.int32), cosine.view(np.int32)
    swap = (sines ^ cosines) & -((eighths >> 1) & 1)
    sines ^= swap
    cosines ^= swap
    sines ^= eighths << 29 & _SIGN
    cosines ^= (eighths + 2) << 29 & _SIGN
    return sine, cosine
