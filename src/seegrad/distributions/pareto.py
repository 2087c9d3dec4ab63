"""Pareto's distribution."""

from __future__ import annotations

from typing import Any, ClassVar

from seegrad.distributions import constraints
from seegrad.distributions.exponential import Exponential
from seegrad.distributions.transformed_distribution import TransformedDistribution
from seegrad.distributions.transforms import AffineTransform, ExpTransform
from seegrad.distributions.utils import broadcast_all

__all__ = ["Pareto"]

Tensor = Any


class Pareto(TransformedDistribution):
    """Pareto's distribution: powers of `alpha` from `scale` on."""

    arg_constraints: ClassVar = {"alpha": constraints.positive, "scale": constraints.positive}

    def __init__(self, scale: Any, alpha: Any, validate_args: bool | None = None) -> None:
        self.scale, self.alpha = broadcast_all(scale, alpha)
        base = Exponential(self.alpha, validate_args=validate_args)
        transforms = [ExpTransform(), AffineTransform(loc=0, scale=self.scale)]
        super().__init__(base, transforms, validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """The same distribution with parameters expanded to a batch of this shape."""
        new = self._get_checked_instance(Pareto, _instance)
        new.scale = self.scale.expand(batch_shape)
        new.alpha = self.alpha.expand(batch_shape)
        return super().expand(batch_shape, _instance=new)

    @property
    def mean(self) -> Tensor:
        """The mean."""
        power = self.alpha.clamp(min=1)
        return power * self.scale / (power - 1)

    @property
    def mode(self) -> Tensor:
        """The most likely value."""
        return self.scale

    @property
    def variance(self) -> Tensor:
        """The variance."""
        power = self.alpha.clamp(min=2)
        return self.scale.pow(2) * power / ((power - 1).pow(2) * (power - 2))

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self) -> Any:
        """From `scale` on."""
        return constraints.greater_than_eq(self.scale)

    def entropy(self) -> Tensor:
        """The entropy, in nats."""
        return (self.scale / self.alpha).log() + (1 + self.alpha.reciprocal())
