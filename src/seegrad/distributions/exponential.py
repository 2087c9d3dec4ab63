"""The exponential distribution."""

from __future__ import annotations

from typing import Any, ClassVar

from seegrad.arrays.size import Size
from seegrad.distributions import constraints
from seegrad.distributions.exp_family import ExponentialFamily
from seegrad.distributions.utils import broadcast_all
from seegrad.ops import exp, log1p
from seegrad.tensor.creation import zeros_like

__all__ = ["Exponential"]

Tensor = Any


class Exponential(ExponentialFamily):
    """Waiting times of events that come at a `rate`."""

    arg_constraints: ClassVar = {"rate": constraints.positive}
    support: Any = constraints.nonnegative
    has_rsample = True
    _mean_carrier_measure: Any = 0
    _event_dims: ClassVar = {"rate": 0}

    def __init__(self, rate: Any, validate_args: bool | None = None) -> None:
        (self.rate,) = broadcast_all(rate)
        super().__init__(self.rate.size(), validate_args=validate_args)

    @property
    def mean(self) -> Tensor:
        """The mean."""
        return self.rate.reciprocal()

    @property
    def mode(self) -> Tensor:
        """The most likely value."""
        return zeros_like(self.rate)

    @property
    def variance(self) -> Tensor:
        """The variance."""
        return self.rate.pow(-2)

    @property
    def stddev(self) -> Tensor:
        """The standard deviation."""
        return self.rate.reciprocal()

    def rsample(self, sample_shape: Any = Size(())) -> Tensor:  # noqa: B008
        """Draws of this shape, noise / rate."""
        return self.rate.new_empty(self._extended_shape(sample_shape)).exponential_() / self.rate

    def log_prob(self, value: Tensor) -> Tensor:
        """The logarithm of the density or probability at `value`."""
        if self._validate_args:
            self._validate_sample(value)
        return self.rate.log() - self.rate * value

    def cdf(self, value: Tensor) -> Tensor:
        """The probability of not exceeding `value`."""
        if self._validate_args:
            self._validate_sample(value)
        return 1 - exp(-self.rate * value)

    def icdf(self, value: Tensor) -> Tensor:
        """The number that is not exceeded with probability `value`."""
        return -log1p(-value) / self.rate

    def entropy(self) -> Tensor:
        """The entropy, in nats."""
        return 1.0 - self.rate.log()

    @property
    def _natural_params(self) -> tuple[Tensor, ...]:
        return (-self.rate,)

    def _log_normalizer(self, x: Tensor) -> Tensor:
        return -(-x).log()
