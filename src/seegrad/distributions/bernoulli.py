"""Bernoulli's distribution."""

from __future__ import annotations

from math import nan
from typing import Any, ClassVar

from seegrad.arrays.size import Size
from seegrad.autograd.grad_mode import no_grad
from seegrad.distributions import constraints
from seegrad.distributions.exp_family import ExponentialFamily
from seegrad.distributions.probability import Chances
from seegrad.distributions.utils import broadcast_all
from seegrad.nn.functional import binary_cross_entropy_with_logits
from seegrad.tensor.creation import arange
from seegrad.tensor.sampling import bernoulli

__all__ = ["Bernoulli"]

Tensor = Any


class Bernoulli(Chances, ExponentialFamily):
    """Ones with probability `probs`, or odds exp(`logits`), else zeros.

    >>> import seegrad as torch
    >>> torch.distributions.Bernoulli(0.25).log_prob(torch.tensor(1.0))
    tensor(-1.3863)
    """

    arg_constraints: ClassVar = {"probs": constraints.unit_interval, "logits": constraints.real}
    support: Any = constraints.boolean
    has_enumerate_support = True
    _mean_carrier_measure: Any = 0
    _event_dims: ClassVar = {"probs": 0, "logits": 0}

    def __init__(
        self, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        super().__init__(self._take(probs, logits), validate_args=validate_args)

    @property
    def mean(self) -> Tensor:
        """`probs`."""
        return self.probs

    @property
    def mode(self) -> Tensor:
        """The likelier of both, NaN where none is."""
        mode = (self.probs >= 0.5).to(self.probs)
        return mode.masked_fill(self.probs == 0.5, nan)

    @property
    def variance(self) -> Tensor:
        """The variance."""
        return self.probs * (1 - self.probs)

    def sample(self, sample_shape: Any = Size(())) -> Tensor:  # noqa: B008
        """Draws of this shape."""
        with no_grad():
            return bernoulli(self.probs.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value: Tensor) -> Tensor:
        """The logarithm of the probability of `value`."""
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        return -binary_cross_entropy_with_logits(logits, value, reduction="none")

    def entropy(self) -> Tensor:
        """The entropy, in nats."""
        return binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none")

    def enumerate_support(self, expand: bool = True) -> Tensor:
        """0 and 1, along the first dimension."""
        values = arange(2, dtype=self._param.dtype)
        values = values.view((-1,) + (1,) * len(self._batch_shape))
        return values.expand((-1, *self._batch_shape)) if expand else values

    @property
    def _natural_params(self) -> tuple[Tensor, ...]:
        return (self.logits,)

    def _log_normalizer(self, x: Tensor) -> Tensor:
        return x.exp().log1p()
