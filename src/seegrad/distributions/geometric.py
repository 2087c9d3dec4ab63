"""The geometric distribution."""

from __future__ import annotations

from typing import Any, ClassVar

from seegrad.arrays.limits import finfo
from seegrad.arrays.size import Size
from seegrad.autograd.grad_mode import no_grad
from seegrad.distributions import constraints
from seegrad.distributions.distribution import Distribution
from seegrad.distributions.probability import Chances
from seegrad.distributions.utils import broadcast_all
from seegrad.nn.functional import binary_cross_entropy_with_logits
from seegrad.tensor.creation import zeros_like

__all__ = ["Geometric"]

Tensor = Any


class Geometric(Chances, Distribution):
    """How many trials fail before one of probability `probs` succeeds."""

    arg_constraints: ClassVar = {"probs": constraints.unit_interval, "logits": constraints.real}
    support: Any = constraints.nonnegative_integer
    _event_dims: ClassVar = {"probs": 0, "logits": 0}

    def __init__(
        self, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        super().__init__(self._take(probs, logits), validate_args=validate_args)
        if self._validate_args and probs is not None and not (self.probs > 0).all():
            value = self.probs
            raise ValueError(
                f"Expected parameter probs ({type(value).__name__} of shape "
                f"{tuple(value.shape)}) of distribution {self!r} to be positive but found invalid "
                f"values:\n{value[value <= 0]}"
            )

    @property
    def mean(self) -> Tensor:
        """The mean."""
        return 1.0 / self.probs - 1.0

    @property
    def mode(self) -> Tensor:
        """0."""
        return zeros_like(self.probs)

    @property
    def variance(self) -> Tensor:
        """The variance."""
        return (1.0 / self.probs - 1.0) / self.probs

    def sample(self, sample_shape: Any = Size(())) -> Tensor:  # noqa: B008
        """Draws of this shape."""
        with no_grad():
            unit = self.probs.new_empty(self._extended_shape(sample_shape))
            unit.uniform_(finfo(self.probs.dtype).tiny, 1)
            return (unit.log() / (-self.probs).log1p()).floor()

    def log_prob(self, value: Tensor) -> Tensor:
        """The logarithm of the probability of `value`."""
        if self._validate_args:
            self._validate_sample(value)
        value, probs = broadcast_all(value, self.probs)
        failing = (-probs.masked_fill((probs == 1) & (value == 0), 0)).log1p()
        return value * failing + self.probs.log()

    def entropy(self) -> Tensor:
        """The entropy, in nats."""
        one = binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none")
        return one / self.probs
