"""The continuous Bernoulli distribution."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from seegrad.arrays.size import Size
from seegrad.autograd.grad_mode import no_grad
from seegrad.distributions import constraints
from seegrad.distributions.exp_family import ExponentialFamily
from seegrad.distributions.probability import Chances
from seegrad.distributions.utils import (
    broadcast_all,
    clamp_probs,
)
from seegrad.nn.functional import binary_cross_entropy_with_logits
from seegrad.ops import expm1, log, log1p, where
from seegrad.tensor.creation import ones_like
from seegrad.tensor.sampling import rand

__all__ = ["ContinuousBernoulli"]

Tensor = Any


class ContinuousBernoulli(Chances, ExponentialFamily):
    """Numbers between 0 and 1 with a density proportional to probs^x (1 - probs)^(1 - x).

    Loaiza-Ganem and Cunningham, The continuous Bernoulli (2019). For `probs` within `lims` of 1/2
    series stand in for formulas that lose their digits there.
    """

    arg_constraints: ClassVar = {"probs": constraints.unit_interval, "logits": constraints.real}
    support: Any = constraints.unit_interval
    has_rsample = True
    _mean_carrier_measure: Any = 0
    _event_dims: ClassVar = {"probs": 0, "logits": 0}

    def __init__(
        self,
        probs: Any = None,
        logits: Any = None,
        lims: tuple[float, float] = (0.499, 0.501),
        validate_args: bool | None = None,
    ) -> None:
        shape = self._take(probs, logits)
        if probs is not None:
            inside = constraints.unit_interval.check(self.probs)
            if validate_args is not None and not inside.all():
                raise ValueError("The parameter probs has invalid values")
            self.probs = clamp_probs(self.probs)
        self._lims = lims
        super().__init__(shape, validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """The same distribution with parameters expanded to a batch of this shape."""
        new = self._get_checked_instance(ContinuousBernoulli, _instance)
        new._lims = self._lims
        return super().expand(batch_shape, new)

    def _outside_unstable_region(self) -> Tensor:
        return (self.probs <= self._lims[0]) | (self.probs > self._lims[1])

    def _cut_probs(self) -> Tensor:
        """The probabilities, those in the unstable region moved to its edge."""
        edge = self._lims[0] * ones_like(self.probs)
        return where(self._outside_unstable_region(), self.probs, edge)

    def _cont_bern_log_norm(self) -> Tensor:
        """The logarithm of the factor of the density."""
        cut = self._cut_probs()
        below = where(cut <= 0.5, cut, 0.0 * cut)
        above = where(cut >= 0.5, cut, ones_like(cut))
        width = where(cut <= 0.5, log1p(-2.0 * below), log(2.0 * above - 1.0))
        norm = log((log1p(-cut) - log(cut)).abs()) - width
        square = (self.probs - 0.5) ** 2
        series = math.log(2.0) + (4.0 / 3.0 + 104.0 / 45.0 * square) * square
        return where(self._outside_unstable_region(), norm, series)

    @property
    def mean(self) -> Tensor:
        """The mean."""
        cut = self._cut_probs()
        mean = cut / (2.0 * cut - 1.0) + 1.0 / (log1p(-cut) - log(cut))
        x = self.probs - 0.5
        series = 0.5 + (1.0 / 3.0 + 16.0 / 45.0 * x**2) * x
        return where(self._outside_unstable_region(), mean, series)

    @property
    def variance(self) -> Tensor:
        """The variance."""
        cut = self._cut_probs()
        variance = cut * (cut - 1.0) / (1.0 - 2.0 * cut) ** 2
        variance = variance + 1.0 / (log1p(-cut) - log(cut)) ** 2
        square = (self.probs - 0.5) ** 2
        series = 1.0 / 12.0 - (1.0 / 15.0 - 128.0 / 945.0 * square) * square
        return where(self._outside_unstable_region(), variance, series)

    @property
    def stddev(self) -> Tensor:
        """The standard deviation."""
        return self.variance.sqrt()

    def sample(self, sample_shape: Any = Size(())) -> Tensor:  # noqa: B008
        """Draws of this shape, without gradient."""
        with no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape: Any = Size(())) -> Tensor:  # noqa: B008
        """Draws of this shape, by the inverse distribution function."""
        return self.icdf(rand(self._extended_shape(sample_shape), dtype=self.probs.dtype))

    def log_prob(self, value: Tensor) -> Tensor:
        """The logarithm of the density at `value`."""
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        entropy = binary_cross_entropy_with_logits(logits, value, reduction="none")
        return -entropy + self._cont_bern_log_norm()

    def cdf(self, value: Tensor) -> Tensor:
        """The probability of not exceeding `value`."""
        if self._validate_args:
            self._validate_sample(value)
        cut = self._cut_probs()
        powers = cut**value * (1.0 - cut) ** (1.0 - value)
        inside = (powers + cut - 1.0) / (2.0 * cut - 1.0)
        inside = where(self._outside_unstable_region(), inside, value)
        above = where(value >= 1.0, ones_like(inside), inside)
        return where(value <= 0.0, 0.0 * inside, above)

    def icdf(self, value: Tensor) -> Tensor:
        """The number that is not exceeded with probability `value`."""
        cut = self._cut_probs()
        place = (log1p(-cut + value * (2.0 * cut - 1.0)) - log1p(-cut)) / (log(cut) - log1p(-cut))
        return where(self._outside_unstable_region(), place, value)

    def entropy(self) -> Tensor:
        """The entropy, in nats."""
        none, all_ = log1p(-self.probs), log(self.probs)
        return self.mean * (none - all_) - self._cont_bern_log_norm() - none

    @property
    def _natural_params(self) -> tuple[Tensor, ...]:
        return (self.logits,)

    def _log_normalizer(self, x: Tensor) -> Tensor:
        outside = (x <= self._lims[0] - 0.5) | (x > self._lims[1] - 0.5)
        cut = where(outside, x, (self._lims[0] - 0.5) * ones_like(x))
        norm = log((expm1(cut) / cut).abs())
        return where(outside, norm, 0.5 * x + x.pow(2) / 24.0 - x.pow(4) / 2880.0)
