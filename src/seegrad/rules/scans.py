"""Derivatives of what goes along a dimension: running sums, products and extremes.

Products are right where elements are zero, in every order of derivative, because nothing here
divides. What they need is one linear recurrence, `recurrence`, whose own derivative it is again.
"""

import math
from typing import Any

from seegrad.rules.spec import general, linear

Xp = Any
Value = Any
Shape = tuple[int, ...]


# Sums

linear("cumsum(self, dim)", inplace=True, self=lambda xp, grad, dim: xp.cumsum_reversed(grad, dim))
linear("cumsum_reversed(self, dim)", self=lambda xp, grad, dim: xp.cumsum(grad, dim))
linear(
    "shift_one(self, dim, reverse)",
    self=lambda xp, grad, dim, reverse: xp.shift_one(grad, dim, not reverse),
)


# Recurrences


def recurrence_self(xp: Xp, grad: Value, factor: Value, dim: int | None, reverse: bool) -> Value:
    """What each term of `s[j] = b[j] + a[j] s[j-1]` contributes to all later ones.

    `h[j] = grad[j] + a[j+1] h[j+1]`, the recurrence `u = a grad + a u` read backwards.
    """
    later = xp.recurrence(factor * grad, factor, dim, not reverse)
    return grad + xp.shift_one(later, dim, not reverse)


def recurrence_factor(
    xp: Xp, grad: Value, factor: Value, result: Value, dim: int | None, reverse: bool
) -> Value:
    """`h[j] s[j-1]`."""
    through = recurrence_self(xp, grad, factor, dim, reverse)
    return through * xp.shift_one(result, dim, reverse)


general("recurrence(self, factor, dim, reverse)", self=recurrence_self, factor=recurrence_factor)


# Products


def cumprod_self(xp: Xp, grad: Value, self: Value, dim: int) -> Value:
    """The product before j, times `t[j] = grad[j] + x[j+1] t[j+1]`."""
    later = recurrence_self(xp, grad, self, dim, False)
    return xp.cumprod_exclusive(self, dim, False) * later


def cumprod_exclusive_self(
    xp: Xp, grad: Value, self: Value, dim: int | None, reverse: bool
) -> Value:
    """The product before j, times what comes after j without j itself."""
    later = xp.recurrence(grad, self, dim, not reverse)
    before = xp.cumprod_exclusive(self, dim, reverse)
    return before * xp.shift_one(later, dim, not reverse)


def prod_others_self(xp: Xp, grad: Value, self: Value, dim: int | None) -> Value:
    """Of `before * after`, the products of the elements on both sides."""
    before, after = (xp.cumprod_exclusive(self, dim, side) for side in (False, True))
    return cumprod_exclusive_self(xp, grad * after, self, dim, False) + cumprod_exclusive_self(
        xp, grad * before, self, dim, True
    )


general("cumprod(self, dim)", inplace=True, self=cumprod_self)
general("cumprod_exclusive(self, dim, reverse)", self=cumprod_exclusive_self)
general("prod_others(self, dim)", self=prod_others_self)


# Logarithms of sums


def logcumsumexp_self(xp: Xp, grad: Value, self: Value, result: Value, dim: int) -> Value:
    """`exp(x[j] - y[j]) t[j]` with `t[j] = grad[j] + exp(y[j] - y[j+1]) t[j+1]`.

    All exponents of real numbers are at most 0, so nothing overflows. Large numbers stand for
    infinite sums, so that differences stay numbers.
    """
    level = xp.nan_to_num(result, math.nan, 1e30, -1e30)
    step = xp.shift_one(level - xp.shift_one(level, dim, False), dim, True)
    # decay[j] leads from y[j] to y[j+1]; the recurrence wants it at j when it reads backwards.
    later = xp.recurrence(grad, xp.exp(-step), dim, True)
    return xp.exp(xp.nan_to_num(self, math.nan, 1e30, -math.inf) - level) * later


general("logcumsumexp(self, dim)", fused=True, self=logcumsumexp_self)


# Extremes


def at_running_indices(xp: Xp, grad: Value, self_shape: Shape, dim: int, indices: Value) -> Value:
    """Each gradient added to the element that was the extreme then."""
    return xp.scatter_add(xp.new_zeros(grad, self_shape), dim, indices, grad)


for _name in ("cummax", "cummin"):
    general(f"{_name}(self, dim)", outputs="values indices", self=at_running_indices)
