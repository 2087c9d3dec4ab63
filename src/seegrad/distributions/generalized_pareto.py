"""The generalised Pareto distribution."""

from __future__ import annotations

from math import inf
from typing import Any, ClassVar

from seegrad.arrays.size import Size
from seegrad.distributions import constraints
from seegrad.distributions.distribution import Distribution
from seegrad.distributions.utils import broadcast_all
from seegrad.ops import exp, isclose, log, log1p, where
from seegrad.tensor.creation import full_like, ones_like, zeros_like
from seegrad.tensor.sampling import rand

__all__ = ["GeneralizedPareto"]

Tensor = Any


class GeneralizedPareto(Distribution):
    """What exceeds a threshold `loc`; `concentration` says how slowly it falls (0: as exp)."""

    arg_constraints: ClassVar = {
        "loc": constraints.real,
        "scale": constraints.positive,
        "concentration": constraints.real,
    }
    has_rsample = True
    _event_dims: ClassVar = {"loc": 0, "scale": 0, "concentration": 0}

    def __init__(
        self, loc: Any, scale: Any, concentration: Any, validate_args: bool | None = None
    ) -> None:
        self.loc, self.scale, self.concentration = broadcast_all(loc, scale, concentration)
        super().__init__(self.loc.size(), validate_args=validate_args)

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self) -> Any:
        """From `loc` on; up to an end where the concentration is negative."""
        end = self.loc - self.scale / self.concentration
        bounded = (self.concentration < 0).to(self.loc)
        upper = where(bounded > 0, end, full_like(end, inf))
        return constraints.interval(self.loc, upper)

    def _is_exponential(self) -> Tensor:
        return isclose(self.concentration, zeros_like(self.concentration))

    def _z(self, x: Tensor) -> Tensor:
        return (x - self.loc) / self.scale

    def rsample(self, sample_shape: Any = Size(())) -> Tensor:  # noqa: B008
        """Draws of this shape, by the inverse distribution function."""
        shape = self._extended_shape(sample_shape)
        return self.icdf(rand(shape, dtype=self.loc.dtype))

    def log_prob(self, value: Tensor) -> Tensor:
        """The logarithm of the density at `value`."""
        if self._validate_args:
            self._validate_sample(value)
        z, flat = self._z(value), self._is_exponential()
        safe = where(flat, ones_like(self.concentration), self.concentration)
        heavy = -(1 / safe + ones_like(safe)) * log1p(safe * z)
        return where(flat, -z, heavy) - log(self.scale)

    def log_survival_function(self, value: Tensor) -> Tensor:
        """The logarithm of the probability of exceeding `value`."""
        if self._validate_args:
            self._validate_sample(value)
        z, flat = self._z(value), self._is_exponential()
        safe = where(flat, ones_like(self.concentration), self.concentration)
        return where(flat, -z, -log1p(safe * z) / safe)

    def log_cdf(self, value: Tensor) -> Tensor:
        """The logarithm of the probability of not exceeding `value`."""
        return log1p(-exp(self.log_survival_function(value)))

    def cdf(self, value: Tensor) -> Tensor:
        """The probability of not exceeding `value`."""
        return exp(self.log_cdf(value))

    def icdf(self, value: Tensor) -> Tensor:
        """The number that is not exceeded with probability `value`."""
        flat = self._is_exponential()
        safe = where(flat, ones_like(self.concentration), self.concentration)
        survival = log1p(-value)
        heavy = self.loc + self.scale * (exp(-safe * survival) - 1) / safe
        return where(flat, self.loc - self.scale * survival, heavy)

    @property
    def mean(self) -> Tensor:
        """The mean, infinite for concentrations from 1 on."""
        below = self.concentration < 1
        safe = where(below, self.concentration, 0.5)
        return where(below, self.loc + self.scale / (1 - safe), inf)

    @property
    def variance(self) -> Tensor:
        """The variance, infinite for concentrations from 1/2 on."""
        below = self.concentration < 0.5
        safe = where(below, self.concentration, 0.25)
        return where(below, self.scale**2 / ((1 - safe) ** 2 * (1 - 2 * safe)), inf)

    def entropy(self) -> Tensor:
        """The entropy, in nats."""
        entropy: Tensor = log(self.scale) + self.concentration + 1
        return entropy.broadcast_to(self._batch_shape)

    @property
    def mode(self) -> Tensor:
        """`loc`."""
        return self.loc
