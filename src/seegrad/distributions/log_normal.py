"""The log-normal distribution."""

from __future__ import annotations

from typing import Any, ClassVar

from seegrad.distributions import constraints
from seegrad.distributions.normal import Normal
from seegrad.distributions.transformed_distribution import TransformedDistribution
from seegrad.distributions.transforms import ExpTransform

__all__ = ["LogNormal"]

Tensor = Any


class LogNormal(TransformedDistribution):
    """Exponentials of normal numbers."""

    arg_constraints: ClassVar = {"loc": constraints.real, "scale": constraints.positive}
    support: Any = constraints.positive
    has_rsample = True

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        base = Normal(loc, scale, validate_args=validate_args)
        super().__init__(base, ExpTransform(), validate_args=validate_args)

    @property
    def loc(self) -> Tensor:
        """The mean of the logarithms."""
        return self.base_dist.loc

    @property
    def scale(self) -> Tensor:
        """The standard deviation of the logarithms."""
        return self.base_dist.scale

    @property
    def mean(self) -> Tensor:
        """The mean."""
        return (self.loc + self.scale.pow(2) / 2).exp()

    @property
    def mode(self) -> Tensor:
        """The most likely value."""
        return (self.loc - self.scale.square()).exp()

    @property
    def variance(self) -> Tensor:
        """The variance."""
        square = self.scale.pow(2)
        return square.expm1() * (2 * self.loc + square).exp()

    def entropy(self) -> Tensor:
        """The entropy, in nats."""
        return self.base_dist.entropy() + self.loc
