"""The categorical distribution."""

from __future__ import annotations

from math import nan
from typing import Any, ClassVar

from seegrad.arrays.limits import finfo
from seegrad.arrays.size import Size
from seegrad.autograd.grad_mode import no_grad
from seegrad.distributions import constraints
from seegrad.distributions.distribution import Distribution
from seegrad.distributions.probability import Categories
from seegrad.ops import broadcast_tensors
from seegrad.tensor.creation import arange, full
from seegrad.tensor.sampling import multinomial

__all__ = ["Categorical"]

Tensor = Any


class Categorical(Categories, Distribution):
    """Indices with the probabilities `probs`, or logarithms of them up to a constant, `logits`.

    >>> import seegrad as torch
    >>> torch.distributions.Categorical(torch.ones(4)).entropy()
    tensor(1.3863)
    """

    arg_constraints: ClassVar = {"probs": constraints.simplex, "logits": constraints.real_vector}
    has_enumerate_support = True
    _event_dims: ClassVar = {"probs": 1, "logits": 1}

    def __init__(
        self, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        batch_shape = self._take(probs, logits)
        self._num_events = self._param.size()[-1]
        super().__init__(batch_shape, validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """The same distribution with parameters expanded to a batch of this shape."""
        new = self._get_checked_instance(Categorical, _instance)
        new._num_events = self._num_events
        return super().expand(batch_shape, new)

    @constraints.dependent_property(is_discrete=True, event_dim=0)
    def support(self) -> Any:
        """The indices of the categories."""
        return constraints.integer_interval(0, self._num_events - 1)

    @property
    def mean(self) -> Tensor:
        """NaN: categories have no mean."""
        return full(self._extended_shape(), nan, dtype=self.probs.dtype)

    @property
    def mode(self) -> Tensor:
        """The most likely category."""
        return self.probs.argmax(dim=-1)

    @property
    def variance(self) -> Tensor:
        """NaN: categories have no variance."""
        return full(self._extended_shape(), nan, dtype=self.probs.dtype)

    def sample(self, sample_shape: Any = Size(())) -> Tensor:  # noqa: B008
        """Draws of this shape, int64."""
        sample_shape = Size(sample_shape)
        rows = self.probs.reshape(-1, self._num_events)
        with no_grad():
            drawn = multinomial(rows, sample_shape.numel(), True).T
        return drawn.reshape(self._extended_shape(sample_shape))

    def log_prob(self, value: Tensor) -> Tensor:
        """The logarithm of the probability of category `value`."""
        if self._validate_args:
            self._validate_sample(value)
        value, logarithms = broadcast_tensors(value.long().unsqueeze(-1), self.logits)
        return logarithms.gather(-1, value[..., :1]).squeeze(-1)

    def entropy(self) -> Tensor:
        """The entropy, in nats."""
        logarithms = self.logits.clamp(min=finfo(self.logits.dtype).min)
        return -(logarithms * self.probs).sum(-1)

    def enumerate_support(self, expand: bool = True) -> Tensor:
        """All indices, along the first dimension."""
        values = arange(self._num_events).view((-1,) + (1,) * len(self._batch_shape))
        return values.expand((-1, *self._batch_shape)) if expand else values
