"""Cauchy's distribution."""

from __future__ import annotations

import math
from math import inf, nan
from typing import Any, ClassVar

from seegrad.arrays.size import Size
from seegrad.distributions import constraints
from seegrad.distributions.distribution import Distribution
from seegrad.distributions.utils import broadcast_all
from seegrad.ops import atan, tan
from seegrad.tensor.creation import full

__all__ = ["Cauchy"]

Tensor = Any


class Cauchy(Distribution):
    """Cauchy's distribution about `loc`, half as wide as `scale` on each side."""

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
        return full(self._extended_shape(), nan, dtype=self.loc.dtype)

    @property
    def mode(self) -> Tensor:
        """The most likely value."""
        return self.loc

    @property
    def variance(self) -> Tensor:
        """The variance."""
        return full(self._extended_shape(), inf, dtype=self.loc.dtype)

    def rsample(self, sample_shape: Any = Size(())) -> Tensor:  # noqa: B008
        """Draws of this shape, loc + scale * noise."""
        noise = self.loc.new_empty(self._extended_shape(sample_shape)).cauchy_()
        return self.loc + noise * self.scale

    def log_prob(self, value: Tensor) -> Tensor:
        """The logarithm of the density or probability at `value`."""
        if self._validate_args:
            self._validate_sample(value)
        place = (value - self.loc) / self.scale
        return -math.log(math.pi) - self.scale.log() - (place**2).log1p()

    def cdf(self, value: Tensor) -> Tensor:
        """The probability of not exceeding `value`."""
        if self._validate_args:
            self._validate_sample(value)
        return atan((value - self.loc) / self.scale) / math.pi + 0.5

    def icdf(self, value: Tensor) -> Tensor:
        """The number that is not exceeded with probability `value`."""
        return tan(math.pi * (value - 0.5)) * self.scale + self.loc

    def entropy(self) -> Tensor:
        """The entropy, in nats."""
        return math.log(4 * math.pi) + self.scale.log()
