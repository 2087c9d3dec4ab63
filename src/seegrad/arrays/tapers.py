"""Window functions: numbers that rise from the ends of a row to its middle."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

Array = Any  # an ndarray
Shape = Callable[[Array, int], Array]  # of places from 0 on, and the last of them

HAMMING = (0.54, 0.46)
HANN = (0.5, 0.5)
BLACKMAN = (0.42, 0.5, 0.08)
NUTTALL = (0.3635819, 0.4891775, 0.1365995, 0.0106411)


def taper(shape: Shape, size: int, symmetric: bool, kind: Any) -> Array:
    """A window function of some size; unless symmetric, the last place of one more is left out."""
    if size < 2:
        return np.ones(size, kind)
    return shape(np.arange(size), size - 1 if symmetric else size).astype(kind)


def cosines(factors: Sequence[float]) -> Shape:
    """`a0 - a1 cos(x) + a2 cos(2 x) - ...` over one turn."""

    def shape(places: Array, last: int) -> Array:
        turn = 2 * np.pi / last * places
        waves = [np.cos(order * turn) * (-1) ** order for order in range(len(factors))]
        return np.tensordot(np.asarray(factors, np.float64), waves, 1)

    return shape


def triangle(places: Array, last: int) -> Array:
    """Straight up and down again."""
    return 1 - np.abs(2 * places / last - 1)


def half_wave(places: Array, last: int) -> Array:
    """Half a sine wave, between its zeros."""
    return np.sin(math.pi / (last + 1) * (places + 0.5))


def kaiser(beta: float) -> Shape:
    """`I0(beta sqrt(1 - t^2)) / I0(beta)`, t from -1 to 1; scaled, so that nothing overflows."""

    def shape(places: Array, last: int) -> Array:
        from scipy.special import i0e

        inside = abs(beta) * np.sqrt(np.maximum(1 - (2 * places / last - 1) ** 2, 0))
        return i0e(inside) / i0e(beta) * np.exp(inside - abs(beta))

    return shape


def bell(std: float) -> Shape:
    """The normal density, 1 in the middle."""
    return lambda places, last: np.exp(-(((places - last / 2) / std) ** 2) / 2)


def decay(center: float | None, tau: float) -> Shape:
    """Exponential decay on both sides of a place, by default the middle."""
    return lambda places, last: np.exp(
        -np.abs(places - (last / 2 if center is None else center)) / tau
    )
