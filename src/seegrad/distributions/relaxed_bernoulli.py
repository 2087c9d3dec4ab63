"""Bernoulli's distribution made continuous."""

from __future__ import annotations

from typing import Any, ClassVar

from seegrad.arrays.size import Size
from seegrad.distributions import constraints
from seegrad.distributions.distribution import Distribution
from seegrad.distributions.probability import Chances
from seegrad.distributions.transformed_distribution import TransformedDistribution
from seegrad.distributions.transforms import SigmoidTransform
from seegrad.distributions.utils import broadcast_all, clamp_probs
from seegrad.ops import exp
from seegrad.tensor.sampling import rand

__all__ = ["LogitRelaxedBernoulli", "RelaxedBernoulli"]

Tensor = Any


class LogitRelaxedBernoulli(Chances, Distribution):
    """The logits of RelaxedBernoulli numbers: `logits` and noise, over `temperature`."""

    arg_constraints: ClassVar = {"probs": constraints.unit_interval, "logits": constraints.real}
    support: Any = constraints.real
    _event_dims: ClassVar = {"probs": 0, "logits": 0}

    def __init__(
        self,
        temperature: Tensor,
        probs: Any = None,
        logits: Any = None,
        validate_args: bool | None = None,
    ) -> None:
        self.temperature = temperature
        super().__init__(self._take(probs, logits), validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """The same distribution with parameters expanded to a batch of this shape."""
        new = self._get_checked_instance(LogitRelaxedBernoulli, _instance)
        new.temperature = self.temperature
        return super().expand(batch_shape, new)

    def rsample(self, sample_shape: Any = Size(())) -> Tensor:  # noqa: B008
        """Draws of this shape."""
        shape = self._extended_shape(sample_shape)
        probs = clamp_probs(self.probs.expand(shape))
        unit = clamp_probs(rand(shape, dtype=probs.dtype))
        noise = unit.log() - (-unit).log1p()
        return (noise + probs.log() - (-probs).log1p()) / self.temperature

    def log_prob(self, value: Tensor) -> Tensor:
        """The logarithm of the density at `value`."""
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        offset = logits - value.mul(self.temperature)
        return self.temperature.log() + offset - 2 * exp(offset).log1p()


class RelaxedBernoulli(TransformedDistribution):
    """Numbers between 0 and 1 that come close to both as `temperature` falls.

    Maddison and others, The concrete distribution (2017); Jang and others, Categorical
    reparametrization with Gumbel-softmax (2017).
    """

    arg_constraints: ClassVar = {"probs": constraints.unit_interval, "logits": constraints.real}
    support: Any = constraints.unit_interval
    has_rsample: Any = True

    def __init__(
        self,
        temperature: Tensor,
        probs: Any = None,
        logits: Any = None,
        validate_args: bool | None = None,
    ) -> None:
        base = LogitRelaxedBernoulli(temperature, probs, logits)
        super().__init__(base, SigmoidTransform(), validate_args=validate_args)

    @property
    def temperature(self) -> Tensor:
        """How far numbers are from 0 and 1."""
        return self.base_dist.temperature

    @property
    def logits(self) -> Tensor:
        """The logarithms of the odds."""
        return self.base_dist.logits

    @property
    def probs(self) -> Tensor:
        """The probabilities."""
        return self.base_dist.probs
