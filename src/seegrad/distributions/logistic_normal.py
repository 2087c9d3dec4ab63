"""The logistic normal distribution."""

from __future__ import annotations

from typing import Any, ClassVar

from seegrad.distributions import constraints
from seegrad.distributions.normal import Normal
from seegrad.distributions.transformed_distribution import TransformedDistribution
from seegrad.distributions.transforms import StickBreakingTransform

__all__ = ["LogisticNormal"]

Tensor = Any


class LogisticNormal(TransformedDistribution):
    """Shares of which the logits, by breaking a stick, are normal: one more than `loc` has."""

    arg_constraints: ClassVar = {"loc": constraints.real, "scale": constraints.positive}
    support: Any = constraints.simplex
    has_rsample = True

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        base = Normal(loc, scale, validate_args=validate_args)
        if not base.batch_shape:
            base = base.expand([1])
        super().__init__(base, StickBreakingTransform(), validate_args=validate_args)

    @property
    def loc(self) -> Tensor:
        """The means of the logits."""
        return self.base_dist.base_dist.loc

    @property
    def scale(self) -> Tensor:
        """The standard deviations of the logits."""
        return self.base_dist.base_dist.scale
