"""The uniform distribution."""

from __future__ import annotations

from math import nan
from typing import Any, ClassVar

from seegrad.arrays.size import Size
from seegrad.distributions import constraints
from seegrad.distributions.distribution import Distribution
from seegrad.distributions.utils import broadcast_all
from seegrad.tensor.sampling import rand

__all__ = ["Uniform"]

Tensor = Any


class Uniform(Distribution):
    """Numbers evenly distributed from `low` to `high`.

    >>> import seegrad as torch
    >>> torch.distributions.Uniform(0.0, 2.0).mean
    tensor(1.)
    """

    has_rsample = True
    _event_dims: ClassVar = {"low": 0, "high": 0}

    def __init__(self, low: Any, high: Any, validate_args: bool | None = None) -> None:
        self.low, self.high = broadcast_all(low, high)
        super().__init__(self.low.size(), validate_args=validate_args)

    @property
    def arg_constraints(self) -> Any:
        """Each bound is on its side of the other."""
        return {
            "low": constraints.less_than(self.high),
            "high": constraints.greater_than(self.low),
        }

    @property
    def mean(self) -> Tensor:
        """The mean."""
        return (self.high + self.low) / 2

    @property
    def mode(self) -> Tensor:
        """The most likely value."""
        return nan * self.high

    @property
    def variance(self) -> Tensor:
        """The variance."""
        return (self.high - self.low).pow(2) / 12

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self) -> Any:
        """From `low` to `high`."""
        return constraints.interval(self.low, self.high)

    @property
    def stddev(self) -> Tensor:
        """The standard deviation."""
        return (self.high - self.low) / 12**0.5

    def rsample(self, sample_shape: Any = Size(())) -> Tensor:  # noqa: B008
        """Draws of this shape, low + unit * (high - low)."""
        unit = rand(self._extended_shape(sample_shape), dtype=self.low.dtype)
        return self.low + unit * (self.high - self.low)

    def log_prob(self, value: Tensor) -> Tensor:
        """The logarithm of the density or probability at `value`."""
        if self._validate_args:
            self._validate_sample(value)
        inside = self.low.le(value).type_as(self.low) * self.high.gt(value).type_as(self.low)
        return inside.log() - (self.high - self.low).log()

    def cdf(self, value: Tensor) -> Tensor:
        """The probability of not exceeding `value`."""
        if self._validate_args:
            self._validate_sample(value)
        return ((value - self.low) / (self.high - self.low)).clamp(min=0, max=1)

    def icdf(self, value: Tensor) -> Tensor:
        """The number that is not exceeded with probability `value`."""
        return value * (self.high - self.low) + self.low

    def entropy(self) -> Tensor:
        """The entropy, in nats."""
        return (self.high - self.low).log()
