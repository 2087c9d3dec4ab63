"""Laplace's distribution."""

from __future__ import annotations

from typing import Any, ClassVar

from seegrad.arrays.limits import finfo
from seegrad.arrays.size import Size
from seegrad.distributions import constraints
from seegrad.distributions.distribution import Distribution
from seegrad.distributions.utils import broadcast_all
from seegrad.ops import expm1, log1p

__all__ = ["Laplace"]

Tensor = Any


class Laplace(Distribution):
    """Laplace's distribution about `loc`, falling by e over `scale`."""

    arg_constraints: ClassVar = {"loc": constraints.real, "scale": constraints.positive}
    support: Any = constraints.real
    has_rsample = True
    _event_dims: ClassVar = {"loc": 0, "scale": 0}

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        self.loc, self.scale = broadcast_all(loc, scale)
        super().__init__(self.loc.size(), validate_args=validate_args)

    @property
    def mean(self) -> Tensor:
        """The mean."""
        return self.loc

    @property
    def mode(self) -> Tensor:
        """The most likely value."""
        return self.loc

    @property
    def variance(self) -> Tensor:
        """The variance."""
        return 2 * self.scale.pow(2)

    @property
    def stddev(self) -> Tensor:
        """The standard deviation."""
        return 2**0.5 * self.scale

    def rsample(self, sample_shape: Any = Size(())) -> Tensor:  # noqa: B008
        """Draws of this shape, by the inverse distribution function."""
        unit = self.loc.new_empty(self._extended_shape(sample_shape))
        unit.uniform_(finfo(self.loc.dtype).eps - 1, 1)
        return self.loc - self.scale * unit.sign() * log1p(-unit.abs())

    def log_prob(self, value: Tensor) -> Tensor:
        """The logarithm of the density or probability at `value`."""
        if self._validate_args:
            self._validate_sample(value)
        return -(2 * self.scale).log() - (value - self.loc).abs() / self.scale

    def cdf(self, value: Tensor) -> Tensor:
        """The probability of not exceeding `value`."""
        if self._validate_args:
            self._validate_sample(value)
        offset = value - self.loc
        return 0.5 - 0.5 * offset.sign() * expm1(-offset.abs() / self.scale)

    def icdf(self, value: Tensor) -> Tensor:
        """The number that is not exceeded with probability `value`."""
        term = value - 0.5
        return self.loc - self.scale * term.sign() * log1p(-2 * term.abs())

    def entropy(self) -> Tensor:
        """The entropy, in nats."""
        return 1 + (2 * self.scale).log()
