"""The inverse gamma distribution."""

from __future__ import annotations

from math import inf
from typing import Any, ClassVar

from seegrad.distributions import constraints
from seegrad.distributions.gamma import Gamma
from seegrad.distributions.transformed_distribution import TransformedDistribution
from seegrad.distributions.transforms import PowerTransform
from seegrad.ops import where

__all__ = ["InverseGamma"]

Tensor = Any


class InverseGamma(TransformedDistribution):
    """Inverses of gamma numbers."""

    arg_constraints: ClassVar = {
        "concentration": constraints.positive,
        "rate": constraints.positive,
    }
    support: Any = constraints.positive
    has_rsample = True

    def __init__(self, concentration: Any, rate: Any, validate_args: bool | None = None) -> None:
        base = Gamma(concentration, rate, validate_args=validate_args)
        inverse = PowerTransform(-base.rate.new_ones(()))
        super().__init__(base, inverse, validate_args=validate_args)

    @property
    def concentration(self) -> Tensor:
        """The shape of the gamma numbers."""
        return self.base_dist.concentration

    @property
    def rate(self) -> Tensor:
        """The rate of the gamma numbers."""
        return self.base_dist.rate

    @property
    def mean(self) -> Tensor:
        """The mean."""
        mean = self.rate / (self.concentration - 1)
        return where(self.concentration > 1, mean, inf)

    @property
    def mode(self) -> Tensor:
        """The most likely value."""
        return self.rate / (self.concentration + 1)

    @property
    def variance(self) -> Tensor:
        """The variance."""
        shape = self.concentration
        variance = self.rate.square() / ((shape - 1).square() * (shape - 2))
        return where(shape > 2, variance, inf)

    def entropy(self) -> Tensor:
        """The entropy, in nats."""
        shape = self.concentration
        return shape + self.rate.log() + shape.lgamma() - (1 + shape) * shape.digamma()
