"""Kumaraswamy's distribution."""

from __future__ import annotations

from math import nan
from typing import Any, ClassVar

from seegrad.distributions import constraints
from seegrad.distributions.transformed_distribution import TransformedDistribution
from seegrad.distributions.transforms import AffineTransform, PowerTransform
from seegrad.distributions.uniform import Uniform
from seegrad.distributions.utils import broadcast_all, euler_constant
from seegrad.ops import digamma
from seegrad.tensor.creation import full_like

__all__ = ["Kumaraswamy"]

Tensor = Any


class Kumaraswamy(TransformedDistribution):
    """Kumaraswamy's distribution between 0 and 1, much like the beta distribution."""

    arg_constraints: ClassVar = {
        "concentration1": constraints.positive,
        "concentration0": constraints.positive,
    }
    support: Any = constraints.unit_interval
    has_rsample = True

    def __init__(
        self, concentration1: Any, concentration0: Any, validate_args: bool | None = None
    ) -> None:
        self.concentration1, self.concentration0 = broadcast_all(concentration1, concentration0)
        ends = full_like(self.concentration0, 0), full_like(self.concentration0, 1)
        base = Uniform(*ends, validate_args=validate_args)
        transforms = [
            PowerTransform(exponent=self.concentration0.reciprocal()),
            AffineTransform(loc=1.0, scale=-1.0),
            PowerTransform(exponent=self.concentration1.reciprocal()),
        ]
        super().__init__(base, transforms, validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """The same distribution with parameters expanded to a batch of this shape."""
        new = self._get_checked_instance(Kumaraswamy, _instance)
        new.concentration1 = self.concentration1.expand(batch_shape)
        new.concentration0 = self.concentration0.expand(batch_shape)
        return super().expand(batch_shape, _instance=new)

    @property
    def mean(self) -> Tensor:
        """The mean."""
        return _moment(self.concentration1, self.concentration0, 1)

    @property
    def mode(self) -> Tensor:
        """The most likely value."""
        return _mode(self.concentration1, self.concentration0)

    @property
    def variance(self) -> Tensor:
        """The variance."""
        first, second = self.concentration1, self.concentration0
        return _moment(first, second, 2) - self.mean.pow(2)

    def entropy(self) -> Tensor:
        """The entropy, in nats."""
        one, zero = 1 - self.concentration1.reciprocal(), 1 - self.concentration0.reciprocal()
        harmonic = digamma(self.concentration0 + 1) + euler_constant
        return zero + one * harmonic - self.concentration1.log() - self.concentration0.log()


def _moment(first: Tensor, second: Tensor, n: int) -> Tensor:
    """The mean of the n-th power."""
    place = 1 + n / first
    return (second.log() + place.lgamma() + second.lgamma() - (place + second).lgamma()).exp()


def _mode(first: Tensor, second: Tensor) -> Tensor:
    power = first.reciprocal() * ((first - 1).log() - (first * second - 1).log())
    return power.exp().masked_fill((first < 1) | (second < 1), nan)
