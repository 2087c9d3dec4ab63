"""What the halves of distributions around 0 share."""

from __future__ import annotations

import math
from math import inf
from typing import Any, ClassVar

from seegrad.distributions import constraints
from seegrad.distributions.distribution import Distribution
from seegrad.distributions.transformed_distribution import TransformedDistribution
from seegrad.distributions.transforms import AbsTransform
from seegrad.ops import where
from seegrad.tensor.creation import zeros_like

Tensor = Any


class Half(TransformedDistribution):
    """Distances from 0 of the numbers of a distribution that is even around 0."""

    arg_constraints: ClassVar = {"scale": constraints.positive}
    support: Any = constraints.nonnegative
    has_rsample = True

    def __init__(self, base: Distribution, validate_args: bool | None = None) -> None:
        super().__init__(base, AbsTransform(), validate_args=validate_args)

    @property
    def scale(self) -> Tensor:
        """The scale of the whole distribution."""
        return self.base_dist.scale

    @property
    def mode(self) -> Tensor:
        """The most likely value."""
        return zeros_like(self.scale)

    def log_prob(self, value: Tensor) -> Tensor:
        """The logarithm of the density or probability at `value`."""
        if self._validate_args:
            self._validate_sample(value)
        log_prob = self.base_dist.log_prob(value) + math.log(2)
        return where(value >= 0, log_prob, -inf)

    def cdf(self, value: Tensor) -> Tensor:
        """The probability of not exceeding `value`."""
        if self._validate_args:
            self._validate_sample(value)
        return 2 * self.base_dist.cdf(value) - 1

    def icdf(self, prob: Tensor) -> Tensor:
        """The number that is not exceeded with probability `prob`."""
        return self.base_dist.icdf((prob + 1) / 2)

    def entropy(self) -> Tensor:
        """The entropy, in nats."""
        return self.base_dist.entropy() - math.log(2)
