"""The gamma distribution."""

from __future__ import annotations

from typing import Any, ClassVar

from seegrad.arrays.limits import finfo
from seegrad.arrays.size import Size
from seegrad.distributions import constraints
from seegrad.distributions.exp_family import ExponentialFamily
from seegrad.distributions.utils import broadcast_all
from seegrad.ops import digamma, lgamma, xlogy
from seegrad.special import gammainc
from seegrad.tensor.variates import _standard_gamma

__all__ = ["Gamma"]

Tensor = Any


class Gamma(ExponentialFamily):
    """Gamma numbers of a shape `concentration` and a `rate`.

    Samples move with both (implicit reparametrisation).
    """

    arg_constraints: ClassVar = {
        "concentration": constraints.positive,
        "rate": constraints.positive,
    }
    support: Any = constraints.nonnegative
    has_rsample = True
    _mean_carrier_measure: Any = 0
    _event_dims: ClassVar = {"concentration": 0, "rate": 0}

    def __init__(self, concentration: Any, rate: Any, validate_args: bool | None = None) -> None:
        self.concentration, self.rate = broadcast_all(concentration, rate)
        super().__init__(self.concentration.size(), validate_args=validate_args)

    @property
    def mean(self) -> Tensor:
        """The mean."""
        return self.concentration / self.rate

    @property
    def mode(self) -> Tensor:
        """The most likely value."""
        return ((self.concentration - 1) / self.rate).clamp(min=0)

    @property
    def variance(self) -> Tensor:
        """The variance."""
        return self.concentration / self.rate.pow(2)

    def rsample(self, sample_shape: Any = Size(())) -> Tensor:  # noqa: B008
        """Draws of this shape."""
        shape = self._extended_shape(sample_shape)
        value = _standard_gamma(self.concentration.expand(shape)) / self.rate.expand(shape)
        value.detach().clamp_(min=finfo(value.dtype).tiny)
        return value

    def log_prob(self, value: Tensor) -> Tensor:
        """The logarithm of the density or probability at `value`."""
        if self._validate_args:
            self._validate_sample(value)
        shape, rate = self.concentration, self.rate
        return xlogy(shape, rate) + xlogy(shape - 1, value) - rate * value - lgamma(shape)

    def entropy(self) -> Tensor:
        """The entropy, in nats."""
        shape = self.concentration
        return shape - self.rate.log() + lgamma(shape) + (1.0 - shape) * digamma(shape)

    @property
    def _natural_params(self) -> tuple[Tensor, Tensor]:
        return (self.concentration - 1, -self.rate)

    def _log_normalizer(self, x: Tensor, y: Tensor) -> Tensor:
        return lgamma(x + 1) + (x + 1) * (-y.reciprocal()).log()

    def cdf(self, value: Tensor) -> Tensor:
        """The probability of not exceeding `value`."""
        if self._validate_args:
            self._validate_sample(value)
        return gammainc(self.concentration, self.rate * value)
