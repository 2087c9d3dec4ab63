"""The binomial distribution."""

from __future__ import annotations

from typing import Any, ClassVar

from seegrad.arrays.size import Size
from seegrad.autograd.grad_mode import no_grad
from seegrad.distributions import constraints
from seegrad.distributions.distribution import Distribution
from seegrad.distributions.probability import Chances, need_one
from seegrad.distributions.utils import broadcast_all
from seegrad.nn.functional import logsigmoid
from seegrad.ops import exp, lgamma
from seegrad.tensor.creation import arange
from seegrad.tensor.variates import binomial

__all__ = ["Binomial"]

Tensor = Any


class Binomial(Chances, Distribution):
    """How many of `total_count` trials of probability `probs` succeed."""

    arg_constraints: ClassVar = {
        "total_count": constraints.nonnegative_integer,
        "probs": constraints.unit_interval,
        "logits": constraints.real,
    }
    has_enumerate_support = True
    _event_dims: ClassVar = {"total_count": 0, "probs": 0, "logits": 0}

    def __init__(
        self,
        total_count: Any = 1,
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

    @constraints.dependent_property(is_discrete=True, event_dim=0)
    def support(self) -> Any:
        """0 to `total_count`."""
        return constraints.integer_interval(0, self.total_count)

    @property
    def mean(self) -> Tensor:
        """The mean."""
        return self.total_count * self.probs

    @property
    def mode(self) -> Tensor:
        """The most likely number."""
        return ((self.total_count + 1) * self.probs).floor().clamp(max=self.total_count)

    @property
    def variance(self) -> Tensor:
        """The variance."""
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape: Any = Size(())) -> Tensor:  # noqa: B008
        """Draws of this shape."""
        shape = self._extended_shape(sample_shape)
        with no_grad():
            return binomial(self.total_count.expand(shape), self.probs.expand(shape))

    def log_prob(self, value: Tensor) -> Tensor:
        """The logarithm of the probability of `value`."""
        if self._validate_args:
            self._validate_sample(value)
        count = self.total_count
        choices = lgamma(count + 1) - lgamma(value + 1) - lgamma(count - value + 1)
        return value * self.logits + choices + count * logsigmoid(-self.logits)

    def entropy(self) -> Tensor:
        """The entropy, in nats; raises NotImplementedError where counts differ."""
        largest = int(self.total_count.max().item())
        if not self.total_count.min() == largest:
            raise NotImplementedError("Inhomogeneous total count not supported by `entropy`.")
        logarithms = self.log_prob(self.enumerate_support(False))
        return -(exp(logarithms) * logarithms).sum(0)

    def enumerate_support(self, expand: bool = True) -> Tensor:
        """0 to `total_count`; raises NotImplementedError where counts differ."""
        largest = int(self.total_count.max().item())
        if not self.total_count.min() == largest:
            raise NotImplementedError(
                "Inhomogeneous total count not supported by `enumerate_support`."
            )
        values = arange(1 + largest, dtype=self._param.dtype)
        values = values.view((-1,) + (1,) * len(self._batch_shape))
        return values.expand((-1, *self._batch_shape)) if expand else values
