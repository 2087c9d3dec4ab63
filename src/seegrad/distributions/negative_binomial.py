"""The negative binomial distribution."""

from __future__ import annotations

from typing import Any, ClassVar

from seegrad.arrays.size import Size
from seegrad.autograd.grad_mode import no_grad
from seegrad.distributions import constraints
from seegrad.distributions.distribution import Distribution
from seegrad.distributions.gamma import Gamma
from seegrad.distributions.probability import Chances, need_one
from seegrad.distributions.utils import broadcast_all, lazy_property
from seegrad.nn.functional import logsigmoid
from seegrad.ops import exp, lgamma
from seegrad.tensor.variates import poisson

__all__ = ["NegativeBinomial"]

Tensor = Any


class NegativeBinomial(Chances, Distribution):
    """How many trials of probability `probs` succeed before `total_count` have failed."""

    arg_constraints: ClassVar = {
        "total_count": constraints.greater_than_eq(0),
        "probs": constraints.half_open_interval(0.0, 1.0),
        "logits": constraints.real,
    }
    support: Any = constraints.nonnegative_integer
    _event_dims: ClassVar = {"total_count": 0, "probs": 0, "logits": 0}

    def __init__(
        self,
        total_count: Any,
        probs: Any = None,
        logits: Any = None,
        validate_args: bool | None = None,
    ) -> None:
        need_one(probs, logits)
        if probs is not None:
            self.total_count, self.probs = broadcast_all(total_count, probs)
            self.total_count = self.total_count.type_as(self.probs)
        else:
            self.total_count, self.logits = broadcast_all(total_count, logits)
            self.total_count = self.total_count.type_as(self.logits)
        super().__init__(self._param.size(), validate_args=validate_args)

    @property
    def mean(self) -> Tensor:
        """The mean."""
        return self.total_count * exp(self.logits)

    @property
    def mode(self) -> Tensor:
        """The most likely number."""
        return ((self.total_count - 1) * self.logits.exp()).floor().clamp(min=0.0)

    @property
    def variance(self) -> Tensor:
        """The variance."""
        return self.mean / (1 / (1 + exp(self.logits)))

    @lazy_property
    def _gamma(self) -> Gamma:
        """The rates of the Poisson numbers that these are."""
        return Gamma(self.total_count, exp(-self.logits), validate_args=False)

    def sample(self, sample_shape: Any = Size(())) -> Tensor:  # noqa: B008
        """Draws of this shape."""
        with no_grad():
            return poisson(self._gamma.sample(sample_shape))

    def log_prob(self, value: Tensor) -> Tensor:
        """The logarithm of the probability of `value`."""
        if self._validate_args:
            self._validate_sample(value)
        count = self.total_count
        powers = count * logsigmoid(-self.logits) + value * logsigmoid(self.logits)
        choices = -lgamma(count + value) + lgamma(1.0 + value) + lgamma(count)
        return powers - choices.masked_fill(count + value == 0.0, 0.0)
