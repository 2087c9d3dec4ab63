"""Poisson's distribution."""

from __future__ import annotations

from typing import Any, ClassVar

from seegrad.arrays.size import Size
from seegrad.autograd.grad_mode import no_grad
from seegrad.distributions import constraints
from seegrad.distributions.exp_family import ExponentialFamily
from seegrad.distributions.utils import broadcast_all
from seegrad.ops import exp
from seegrad.tensor.variates import poisson

__all__ = ["Poisson"]

Tensor = Any


class Poisson(ExponentialFamily):
    """Counts of events that come at a `rate`."""

    arg_constraints: ClassVar = {"rate": constraints.nonnegative}
    support: Any = constraints.nonnegative_integer
    _event_dims: ClassVar = {"rate": 0}

    def __init__(self, rate: Any, validate_args: bool | None = None) -> None:
        (self.rate,) = broadcast_all(rate)
        super().__init__(self.rate.size(), validate_args=validate_args)

    @property
    def mean(self) -> Tensor:
        """The mean."""
        return self.rate

    @property
    def mode(self) -> Tensor:
        """The most likely value."""
        return self.rate.floor()

    @property
    def variance(self) -> Tensor:
        """The variance."""
        return self.rate

    def sample(self, sample_shape: Any = Size(())) -> Tensor:  # noqa: B008
        """Draws of this shape."""
        with no_grad():
            return poisson(self.rate.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value: Tensor) -> Tensor:
        """The logarithm of the density or probability at `value`."""
        if self._validate_args:
            self._validate_sample(value)
        rate, value = broadcast_all(self.rate, value)
        return value.xlogy(rate) - rate - (value + 1).lgamma()

    @property
    def _natural_params(self) -> tuple[Tensor, ...]:
        return (self.rate.log(),)

    def _log_normalizer(self, x: Tensor) -> Tensor:
        return exp(x)
