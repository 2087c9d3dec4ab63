"""How a drawn number moves with its parameters: implicit reparametrisation.

A number x drawn by a distribution function F(x; a) stays at its place F = const. when a changes:
dx/da = -(dF/da) / (dF/dx) (Figurnov, Mohamed, Mnih, Implicit reparameterization gradients, 2018).
dF/dx is the density. dF/da has no closed form for gamma and beta; it is the difference quotient of
sixth order of SciPy's function, right to ten digits where numbers are likely to be drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from seegrad.arrays.scipy_special import special_function

Array = Any  # an ndarray; NumPy's own type is too narrow for keys and scalars

STENCIL = ((1, 45), (2, -9), (3, 1))


def standard_gamma(self: Array, drawn: Array) -> Array:
    """Gamma numbers of these shapes that were drawn."""
    return drawn


def standard_gamma_grad(self: Array, output: Array) -> Array:
    """How a gamma number, `output`, moves with its shape, `self`."""
    shape, x = self.astype(np.float64), output.astype(np.float64)
    inner, outer = special_function("gammainc"), special_function("gammaincc")

    def below(a: Array) -> Array:
        """The distribution function, less 1 where that is the smaller number."""
        return np.where(x < shape, inner(a, x), -outer(a, x))

    logarithm = (shape - 1) * np.log(x) - x - special_function("gammaln")(shape)
    moved = -_slope(below, shape, x / shape) / np.exp(logarithm)
    return np.asarray(np.where(x < 1e-2, _near_zero(shape, x), moved), output.dtype)


def _near_zero(shape: Array, x: Array) -> Array:
    """The same by the power series of the incomplete function, for small x."""
    digamma = special_function("digamma")
    term, total = 1 / shape, np.zeros(np.broadcast(shape, x).shape)
    for step in range(8):
        total += term * (np.log(x) - digamma(shape + step + 1))
        term = term * x / (shape + step + 1)
    return -x * total


def dirichlet_grad(x: Array, alpha: Array, total: Array) -> Array:
    """How a share of Dirichlet's distribution moves with its own concentration.

    A share is a beta number of `alpha` and `total - alpha`. What it gains is taken from the others
    in proportion, so the derivative is given by their sum, 1 - x.
    """
    a, b = alpha.astype(np.float64), (total - alpha).astype(np.float64)
    place = x.astype(np.float64)
    regular = special_function("betainc")

    def below(first: Array) -> Array:
        """The distribution function, less 1 in the upper half."""
        low = place < a / (a + b)
        return np.where(low, regular(first, b, place), -regular(b, first, 1 - place))

    rest = np.log1p(-place)
    density = (a - 1) * np.log(place) + (b - 1) * rest - special_function("betaln")(a, b)
    return np.asarray(-_slope(below, a, place * (a + b) / a) / np.exp(density + rest), x.dtype)


def dirichlet(self: Array, drawn: Array) -> Array:
    """Shares of these concentrations that were drawn."""
    return drawn


def _slope(function: Callable[[Array], Array], at: Array, ratio: Array) -> Array:
    """The derivative of a distribution function by its shape.

    It changes on the scale of the shape, of its root from 1 on, and in the tails, at a `ratio` to
    the mean, as ratio^at.
    """
    tail = 1 / np.maximum(np.abs(np.log(ratio)), 1e-9)
    step = 0.01 * np.minimum(np.minimum(at, np.sqrt(at)), tail)
    total = sum(
        weight * (function(at + n * step) - function(at - n * step)) for n, weight in STENCIL
    )
    return total / (60 * step)
