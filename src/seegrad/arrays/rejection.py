"""Numbers drawn by proposing and refusing: gamma, Poisson and binomial; PyTorch's numbers.

How many random words a number takes is known only once it is accepted, so these are drawn one
after the other. The methods are published ones:

    gamma               Marsaglia and Tsang, A simple method for generating gamma variables (2000)
    Poisson from 10 on  Hoermann, The transformed rejection method for Poisson variables (1993)
    Poisson below 10    Knuth: how many uniform numbers are multiplied until exp(-rate) is passed
    binomial, mean 10+  Hoermann, The generation of binomial random variates (1993), BTRS
    binomial, else      geometric gaps between successes (Devroye, 1986)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np

from seegrad.arrays import dtypes
from seegrad.arrays.generators import Generator, chosen
from seegrad.arrays.random import not_implemented, unit64

Array = np.ndarray[Any, Any]
Unit = Callable[[], float]

BLOCK: Final = 64
THIRD: Final = float(np.float32(1 / 3))  # which PyTorch has in single precision


class Ahead:
    """Uniform and normal numbers one at a time, drawn from a generator in growing blocks.

    `settle` sets the generator to where it would be had only the numbers taken been drawn.
    """

    def __init__(self, generator: Generator) -> None:
        self.generator = generator
        self._before = generator.twister()
        self._units: Iterator[float] = iter(())
        self._block, self._drawn = BLOCK, 0

    def unit(self) -> float:
        """A number in [0, 1) of 53 random bits."""
        for value in self._units:
            return value
        self._drawn += self._block
        self._units = iter(unit64(self.generator, self._block).tolist())
        self._block = min(2 * self._block, 2**16)
        return next(self._units)

    def normal(self) -> float:
        """A standard normal number; the second of a pair waits in the generator."""
        waiting = self.generator.next_normal
        if waiting is not None:
            self.generator.next_normal = None
            return waiting
        angle = 2 * math.pi * self.unit()
        radius = math.sqrt(-2.0 * math.log1p(-self.unit()))
        self.generator.next_normal = radius * math.sin(angle)
        return radius * math.cos(angle)

    def settle(self) -> None:
        """Give back what was drawn and not taken."""
        taken = self._drawn - len(list(self._units))
        self.generator.set_twister(*self._before)
        self.generator.words(2 * taken)


def _each(
    generator: Generator | None, draw: Callable[..., float], *given: Array, real: Any = float
) -> Array:
    """Draw a number for each element of the given arrays, which have one shape.

    `real`: what the numbers are for `draw`, Python's floats or NumPy's float32.
    """
    ahead = Ahead(chosen(generator))
    columns: list[Any] = [array.astype(real).reshape(-1) for array in given]
    if real is float:
        columns = [column.tolist() for column in columns]
    drawn = np.array([draw(ahead, *row) for row in zip(*columns, strict=True)])
    ahead.settle()
    return drawn.reshape(given[0].shape)


def gamma(generator: Generator | None, shape: Array) -> Array:
    """Return numbers of the gamma distribution of these shapes and rate 1, of float32 or float64.

    Never less than the smallest normal number. Raises `NotImplementedError` for other types.
    """
    _need_type("gamma_cpu", shape, wide=True)
    drawn = _each(generator, _gamma, shape, real=_real(shape))
    return _at_least_tiny(drawn, shape.dtype)


def _real(values: Array) -> Any:
    """The type of the parameters, in which PyTorch takes the first steps; the rest is double."""
    return float if values.dtype == np.float64 else np.float32


def _at_least_tiny(drawn: Array, kind: Any) -> Array:
    return np.fmax(drawn, np.finfo(kind).tiny).astype(kind)


def dirichlet(generator: Generator | None, concentration: Array) -> Array:
    """Return numbers of Dirichlet's distribution: gamma ones divided by their sum, last dimension.

    Raises `NotImplementedError` for types other than float32 and float64.
    """
    _need_type("dirichlet", concentration, wide=True)
    drawn = _each(generator, _gamma, concentration)
    total = drawn.sum(axis=-1, keepdims=True) if drawn.ndim else drawn
    limits = np.finfo(concentration.dtype)
    shares = np.minimum(np.fmax(drawn / total, limits.tiny), 1 - float(limits.epsneg))
    return np.asarray(shares, concentration.dtype)


def _gamma(ahead: Ahead, shape: Any) -> float:
    if not shape > 0:
        return 0.0
    scale = 1.0
    if shape < 1:  # a number of shape + 1, made smaller
        scale = (1 - ahead.unit()) ** float(1 / shape)
        shape += 1
    near = float(shape - type(shape)(THIRD))
    width = 1 / math.sqrt(9 * near)
    while True:
        x = ahead.normal()
        root = 1 + width * x
        while root <= 0:
            x = ahead.normal()
            root = 1 + width * x
        cube = root * root * root
        u = 1 - ahead.unit()
        square = x * x
        if u < 1 - 0.0331 * square * square:
            return scale * near * cube
        if math.log(u) < 0.5 * square + near * (1 - cube + math.log(cube)):
            return scale * near * cube


def poisson(generator: Generator | None, rate: Array) -> Array:
    """Return numbers of Poisson's distribution of these rates, in their floating type.

    Raises `RuntimeError` for negative rates, `NotImplementedError` for other types.
    """
    _need_type("poisson_cpu", rate)
    if not np.all(rate >= 0):
        raise RuntimeError("invalid Poisson rate, expected rate to be non-negative")
    return _each(generator, _poisson, rate).astype(rate.dtype)


def _poisson(ahead: Ahead, rate: float) -> float:
    if rate >= 10:
        return _poisson_far(ahead.unit, rate)
    least, product, count = math.exp(-rate), 1.0, 0
    while rate:
        product *= ahead.unit()
        if product <= least:
            break
        count += 1
    return float(count)


def _poisson_far(unit: Unit, rate: float) -> float:
    root, logarithm = math.sqrt(rate), math.log(rate)
    b = 0.931 + 2.53 * root
    a = -0.059 + 0.02483 * b
    inverse_alpha = 1.1239 + 1.1328 / (b - 3.4)
    sure = 0.9277 - 3.6224 / (b - 2)
    while True:
        u = unit() - 0.5
        v = unit()
        edge = 0.5 - abs(u)
        count = math.floor((2 * a / edge + b) * u + rate + 0.43)
        if edge >= 0.07 and v <= sure:
            return float(count)
        if count < 0 or (edge < 0.013 and v > edge):
            continue
        left = math.log(v) + math.log(inverse_alpha) - math.log(a / (edge * edge) + b)
        if left <= -rate + count * logarithm - math.lgamma(count + 1):
            return float(count)


def binomial(generator: Generator | None, count: Array, prob: Array) -> Array:
    """Return how many of `count` trials of probability `prob` succeed; both have one shape.

    Raises `NotImplementedError` for types other than float32 and float64.
    """
    _need_type("binomial_cpu", count, wide=True)
    return _each(generator, _binomial, count, prob, real=_real(count)).astype(count.dtype)


def _binomial(ahead: Ahead, count: Any, prob: Any) -> float:
    if count <= 0 or prob <= 0:
        return 0.0
    if prob >= 1:
        return float(count)
    if prob <= 0.5:
        return _rare(ahead.unit, count, prob)
    if prob > 0.5:
        return float(count) - _rare(ahead.unit, count, 1 - prob)
    return math.nan


def _rare(unit: Unit, count: Any, prob: Any) -> float:
    mean, count, prob = float(count * prob), float(count), float(prob)
    if mean >= 10:
        return _binomial_far(unit, count, prob, mean)
    failure, passed, successes = math.log1p(-prob), 0.0, 0
    while True:
        u = unit()
        passed += math.ceil(math.log(u) / failure) if u else math.inf
        if passed > count:
            return float(successes)
        successes += 1


def _binomial_far(unit: Unit, count: float, prob: float, mean: float) -> float:
    deviation = math.sqrt(count * prob * (1 - prob))
    b = 1.15 + 2.53 * deviation
    a = -0.0873 + 0.0248 * b + 0.01 * prob
    c = mean + 0.5
    sure = 0.92 - 4.2 / b
    odds = prob / (1 - prob)
    alpha = (2.83 + 5.1 / b) * deviation
    mode = math.floor((count + 1) * prob)
    while True:
        u = unit() - 0.5
        v = unit()
        edge = 0.5 - abs(u)
        k = math.floor((2 * a / edge + b) * u + c)
        if edge >= 0.07 and v <= sure:
            return float(k)
        if k < 0 or k > count:
            continue
        bound = (
            (mode + 0.5) * math.log((mode + 1) / (odds * (count - mode + 1)))
            + (count + 1) * math.log((count - mode + 1) / (count - k + 1))
            + (k + 0.5) * math.log(odds * (count - k + 1) / (k + 1))
            + _tail(mode)
            + _tail(count - mode)
            - _tail(k)
            - _tail(count - k)
        )
        if math.log(v * alpha / (a / (edge * edge) + b)) <= bound:
            return float(k)


def _tail(k: float) -> float:
    """What Stirling's formula lacks of the logarithm of k!."""
    if k < 10:
        stirling = (k + 0.5) * math.log(k + 1) - (k + 1) + 0.5 * math.log(2 * math.pi)
        return math.lgamma(k + 1) - stirling
    square = (k + 1) * (k + 1)
    return (1 / 12 - (1 / 360 - 1 / 1260 / square) / square) / (k + 1)


def _need_type(kernel: str, values: Array, wide: bool = False) -> None:
    of = dtypes.from_numpy(values.dtype)
    if not of.is_floating_point or (wide and of.itemsize == 2):
        not_implemented(kernel, of)
