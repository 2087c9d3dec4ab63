"""Gumbel's distribution."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from seegrad.arrays.limits import finfo
from seegrad.distributions import constraints
from seegrad.distributions.transformed_distribution import TransformedDistribution
from seegrad.distributions.transforms import AffineTransform, ExpTransform
from seegrad.distributions.uniform import Uniform
from seegrad.distributions.utils import broadcast_all, euler_constant
from seegrad.tensor.creation import full_like, ones_like

__all__ = ["Gumbel"]

Tensor = Any


class Gumbel(TransformedDistribution):
    """Gumbel's distribution of largest values, about `loc`, as wide as `scale`."""

    arg_constraints: ClassVar = {"loc": constraints.real, "scale": constraints.positive}
    support: Any = constraints.real

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        self.loc, self.scale = broadcast_all(loc, scale)
        limits = finfo(self.loc.dtype)
        ends = full_like(self.loc, limits.tiny), full_like(self.loc, 1 - limits.eps)
        base = Uniform(*ends, validate_args=validate_args)
        transforms = [
            ExpTransform().inv,
            AffineTransform(loc=0, scale=-ones_like(self.scale)),
            ExpTransform().inv,
            AffineTransform(loc=loc, scale=-self.scale),
        ]
        super().__init__(base, transforms, validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """The same distribution with parameters expanded to a batch of this shape."""
        new = self._get_checked_instance(Gumbel, _instance)
        new.loc = self.loc.expand(batch_shape)
        new.scale = self.scale.expand(batch_shape)
        return super().expand(batch_shape, _instance=new)

    def log_prob(self, value: Tensor) -> Tensor:
        """The logarithm of the density or probability at `value`."""
        if self._validate_args:
            self._validate_sample(value)
        place = (self.loc - value) / self.scale
        return (place - place.exp()) - self.scale.log()

    @property
    def mean(self) -> Tensor:
        """The mean."""
        return self.loc + self.scale * euler_constant

    @property
    def mode(self) -> Tensor:
        """The most likely value."""
        return self.loc

    @property
    def variance(self) -> Tensor:
        """The variance."""
        return self.stddev.pow(2)

    @property
    def stddev(self) -> Tensor:
        """The standard deviation."""
        return (math.pi / math.sqrt(6)) * self.scale

    def entropy(self) -> Tensor:
        """The entropy, in nats."""
        return self.scale.log() + (1 + euler_constant)
