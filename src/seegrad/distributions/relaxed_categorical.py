"""Categories made continuous."""

from __future__ import annotations

from typing import Any, ClassVar

from seegrad.arrays.size import Size
from seegrad.distributions import constraints
from seegrad.distributions.categorical import Categorical
from seegrad.distributions.distribution import Distribution
from seegrad.distributions.transformed_distribution import TransformedDistribution
from seegrad.distributions.transforms import ExpTransform
from seegrad.distributions.utils import broadcast_all, clamp_probs
from seegrad.tensor.creation import full_like
from seegrad.tensor.sampling import rand

__all__ = ["ExpRelaxedCategorical", "RelaxedOneHotCategorical"]

Tensor = Any


class ExpRelaxedCategorical(Distribution):
    """The logarithms of RelaxedOneHotCategorical numbers."""

    arg_constraints: ClassVar = {"probs": constraints.simplex, "logits": constraints.real_vector}
    support: Any = constraints.real_vector
    has_rsample = True

    def __init__(
        self,
        temperature: Tensor,
        probs: Any = None,
        logits: Any = None,
        validate_args: bool | None = None,
    ) -> None:
        self._categorical = Categorical(probs, logits)
        self.temperature = temperature
        shape = self._categorical.param_shape
        super().__init__(shape[:-1], shape[-1:], validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """The same distribution with parameters expanded to a batch of this shape."""
        new = self._get_checked_instance(ExpRelaxedCategorical, _instance)
        new.temperature = self.temperature
        new._categorical = self._categorical.expand(Size(batch_shape))
        return super().expand(batch_shape, new)

    def _new(self, *args: Any, **kwargs: Any) -> Tensor:
        return self._categorical._new(*args, **kwargs)

    @property
    def param_shape(self) -> Any:
        """The shape of the parameter."""
        return self._categorical.param_shape

    @property
    def logits(self) -> Tensor:
        """The logarithms of the probabilities."""
        return self._categorical.logits

    @property
    def probs(self) -> Tensor:
        """The probabilities of the categories."""
        return self._categorical.probs

    def rsample(self, sample_shape: Any = Size(())) -> Tensor:  # noqa: B008
        """Draws of this shape: Gumbel noise added to the logits, normalised."""
        shape = self._extended_shape(sample_shape)
        unit = clamp_probs(rand(shape, dtype=self.logits.dtype))
        noise = -((-(unit.log())).log())
        scores = (self.logits + noise) / self.temperature
        return scores - scores.logsumexp(dim=-1, keepdim=True)

    def log_prob(self, value: Tensor) -> Tensor:
        """The logarithm of the density at `value`."""
        if self._validate_args:
            self._validate_sample(value)
        count = self._categorical._num_events
        logits, value = broadcast_all(self.logits, value)
        constant = full_like(self.temperature, float(count)).lgamma()
        constant = constant - self.temperature.log().mul(-(count - 1))
        score = logits - value.mul(self.temperature)
        score = (score - score.logsumexp(dim=-1, keepdim=True)).sum(-1)
        return score + constant


class RelaxedOneHotCategorical(TransformedDistribution):
    """Shares that come close to one-hot vectors as `temperature` falls.

    Maddison and others, The concrete distribution (2017); Jang and others, Categorical
    reparametrization with Gumbel-softmax (2017).
    """

    arg_constraints: ClassVar = {"probs": constraints.simplex, "logits": constraints.real_vector}
    support: Any = constraints.simplex
    has_rsample: Any = True

    def __init__(
        self,
        temperature: Tensor,
        probs: Any = None,
        logits: Any = None,
        validate_args: bool | None = None,
    ) -> None:
        base = ExpRelaxedCategorical(temperature, probs, logits, validate_args=validate_args)
        super().__init__(base, ExpTransform(), validate_args=validate_args)

    @property
    def temperature(self) -> Tensor:
        """How far shares are from one-hot vectors."""
        return self.base_dist.temperature

    @property
    def logits(self) -> Tensor:
        """The logarithms of the probabilities."""
        return self.base_dist.logits

    @property
    def probs(self) -> Tensor:
        """The probabilities of the categories."""
        return self.base_dist.probs
