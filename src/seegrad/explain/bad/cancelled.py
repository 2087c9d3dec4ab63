"""Differences of nearly equal numbers, of which few digits are right or none.

A difference alone is no fault: it is asked for where a root or a logarithm of it is NaN, and where
the mean of squares minus the square of the mean, or a difference of which no digit is right over
something as small, is what a failing program looked at.
"""

from typing import Any

import numpy as np

from seegrad.explain.record import Made, ancestors

__all__ = ["CURVED", "LARGE", "WRONG", "is_near", "is_quotient", "is_variance", "lost_digits"]

CALCULATED = frozenset(
    ["mean", "sum", "div", "mul", "__rtruediv__", "squeeze", "unsqueeze", "view"]
)
CURVED = frozenset(
    ["cos", "sin", "tan", "cosh", "sinh", "tanh", "exp", "exp2", "sqrt", "rsqrt", "log", "log2"]
    + ["log10", "atan", "asin", "acos", "erf", "sigmoid", "pow", "__pow__", "reciprocal"]
)
NEAR = 1e-2  # of its operands a difference that is looked at closely is at most this large
WRONG = 8.0  # rounding errors: of a difference that is no larger no digit is right
LARGE = 1e-2  # what 256 rounding errors come to, where large numbers are subtracted
SMALL = 1e-2  # a divisor that makes much of them
ADDING = frozenset(["add", "add_", "__iadd__"])
SQUARES = frozenset(["pow", "__pow__", "square", "mul", "multiply"])


def lost_digits(result: Any, operand: Any) -> tuple[float, float]:
    """How many rounding errors the worst difference is large, and how large they may become.

    Infinity where no element lost much; two passes over the arrays, which are then looked at
    element by element only where it may be so.
    """
    kind = result.dtype
    if kind.kind != "f" or not result.size or kind.itemsize < 2:
        return np.inf, 0.0
    unit = float(np.finfo(kind).eps)
    size = np.abs(operand)
    least = float(np.abs(result).min())
    rounding = 256 * unit * float(size.max())
    if not least <= rounding:
        return np.inf, rounding
    with np.errstate(all="ignore"):
        units = np.abs(result) / (size * unit)
    units = units[np.isfinite(units)]
    return (float(units.min()) if units.size else np.inf), rounding


def is_near(args: Any, result: Any) -> bool:
    """Whether most of a difference is much smaller than what was subtracted."""
    if not result.size:
        return False
    size: Any = 0.0
    for one in args[:2]:
        array = getattr(one, "_array", one)
        if isinstance(array, (int, float, np.ndarray)):
            size = np.maximum(size, np.abs(array))
    near = (np.abs(result) <= NEAR * size) & (size > 0)
    return bool(2 * np.count_nonzero(near) >= result.size)


def is_variance(parents: tuple[Made, ...]) -> bool:
    """Whether these are a mean of squares and the square of a mean."""
    return len(parents) == 2 and is_mean_of_squares(parents[0]) and is_scaled_square(parents[1])


def is_quotient(difference: Made, units: float, below: Made, divisor: Any) -> bool:
    """Whether a difference without a right digit is divided by something small of the same origin.

    As `(1 - cos(x)) / x ** 2` near zero: what is 0 / 0 in the limit, and not zero.
    """
    if units >= WRONG or not any(parent.name in CURVED for parent in difference.parents):
        return False
    least = float(np.abs(divisor).min(initial=np.inf))
    if not 0 < least < SMALL:
        return False
    above = ancestors(difference, 6)
    return any(one in above for one in ancestors(below, 3))


def is_scaled_square(made: Made) -> bool:
    """Whether a tensor is the square of another, times a number."""
    for _ in range(3):
        if is_square(made):
            return True
        if made.name not in ("mul", "div") or not made.parents:
            return False
        made = made.parents[0]
    return False


def is_square(made: Made) -> bool:
    """Whether a tensor is the square of another."""
    if made.name in ("mul", "multiply"):
        return len(made.parents) == 2 and made.parents[0] is made.parents[1]
    return made.name in SQUARES


def is_mean_of_squares(made: Made) -> bool:
    """Whether a tensor is a sum or mean of squares."""
    summed = False
    for _ in range(6):
        if is_square(made):
            return summed
        if made.name in ADDING and len(made.parents) == 2:  # to what was summed before
            made, summed = made.parents[1], True
            continue
        if made.name not in CALCULATED or not made.parents:
            return False
        summed = summed or made.name in ("mean", "sum")
        made = made.parents[0]
    return False
