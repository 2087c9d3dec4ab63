"""Weibull's distribution."""

from __future__ import annotations

from typing import Any, ClassVar

from seegrad.distributions import constraints
from seegrad.distributions.exponential import Exponential
from seegrad.distributions.transformed_distribution import TransformedDistribution
from seegrad.distributions.transforms import AffineTransform, PowerTransform
from seegrad.distributions.utils import broadcast_all, euler_constant
from seegrad.ops import lgamma
from seegrad.tensor.creation import ones_like

__all__ = ["Weibull"]

Tensor = Any


class Weibull(TransformedDistribution):
    """Weibull's distribution of lifetimes: powers of exponential numbers."""

    arg_constraints: ClassVar = {
        "scale": constraints.positive,
        "concentration": constraints.positive,
    }
    support: Any = constraints.positive

    def __init__(self, scale: Any, concentration: Any, validate_args: bool | None = None) -> None:
        self.scale, self.concentration = broadcast_all(scale, concentration)
        self.concentration_reciprocal = self.concentration.reciprocal()
        base = Exponential(ones_like(self.scale), validate_args=validate_args)
        transforms = _transforms(self)
        super().__init__(base, transforms, validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """The same distribution with parameters expanded to a batch of this shape."""
        new = self._get_checked_instance(Weibull, _instance)
        new.scale = self.scale.expand(batch_shape)
        new.concentration = self.concentration.expand(batch_shape)
        new.concentration_reciprocal = new.concentration.reciprocal()
        base = self.base_dist.expand(batch_shape)
        TransformedDistribution.__init__(new, base, _transforms(new), validate_args=False)
        new._validate_args = self._validate_args
        return new

    @property
    def mean(self) -> Tensor:
        """The mean."""
        return self.scale * lgamma(1 + self.concentration_reciprocal).exp()

    @property
    def mode(self) -> Tensor:
        """The most likely value."""
        power = self.concentration.reciprocal()
        return self.scale * ((self.concentration - 1) / self.concentration) ** power

    @property
    def variance(self) -> Tensor:
        """The variance."""
        power = self.concentration_reciprocal
        second = lgamma(1 + 2 * power).exp()
        return self.scale.pow(2) * (second - (2 * lgamma(1 + power)).exp())

    def entropy(self) -> Tensor:
        """The entropy, in nats."""
        power = self.concentration_reciprocal
        return euler_constant * (1 - power) + (self.scale * power).log() + 1


def _transforms(weibull: Weibull) -> list[Any]:
    power = PowerTransform(exponent=weibull.concentration_reciprocal)
    return [power, AffineTransform(loc=0, scale=weibull.scale)]
