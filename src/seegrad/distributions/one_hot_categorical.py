"""Categories as vectors of zeros and one 1."""

from __future__ import annotations

from typing import Any, ClassVar

from seegrad.arrays.size import Size
from seegrad.distributions import constraints
from seegrad.distributions.categorical import Categorical
from seegrad.distributions.distribution import Distribution
from seegrad.nn.functional import one_hot
from seegrad.tensor.creation import eye

__all__ = ["OneHotCategorical", "OneHotCategoricalStraightThrough"]

Tensor = Any


class OneHotCategorical(Distribution):
    """The categorical distribution, of vectors that have 1 at the category's place."""

    arg_constraints: ClassVar = {"probs": constraints.simplex, "logits": constraints.real_vector}
    support: Any = constraints.one_hot
    has_enumerate_support = True

    def __init__(
        self, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        self._categorical = Categorical(probs, logits)
        shape = self._categorical.param_shape
        super().__init__(shape[:-1], shape[-1:], validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """The same distribution with parameters expanded to a batch of this shape."""
        new = self._get_checked_instance(OneHotCategorical, _instance)
        new._categorical = self._categorical.expand(Size(batch_shape))
        return super().expand(batch_shape, new)

    def _new(self, *args: Any, **kwargs: Any) -> Tensor:
        return self._categorical._new(*args, **kwargs)

    @property
    def _param(self) -> Tensor:
        return self._categorical._param

    @property
    def probs(self) -> Tensor:
        """The probabilities of the categories."""
        return self._categorical.probs

    @property
    def logits(self) -> Tensor:
        """Their logarithms."""
        return self._categorical.logits

    @property
    def mean(self) -> Tensor:
        """`probs`."""
        return self._categorical.probs

    @property
    def mode(self) -> Tensor:
        """The most likely category."""
        mode = self._categorical.mode
        return one_hot(mode, num_classes=self.probs.shape[-1]).to(self.probs)

    @property
    def variance(self) -> Tensor:
        """The variance of each element."""
        return self._categorical.probs * (1 - self._categorical.probs)

    @property
    def param_shape(self) -> Any:
        """The shape of the parameter."""
        return self._categorical.param_shape

    def sample(self, sample_shape: Any = Size(())) -> Tensor:  # noqa: B008
        """Draws of this shape."""
        drawn = self._categorical.sample(Size(sample_shape))
        return one_hot(drawn, self._categorical._num_events).to(self._categorical.probs)

    def log_prob(self, value: Tensor) -> Tensor:
        """The logarithm of the probability of the category in `value`."""
        if self._validate_args:
            self._validate_sample(value)
        return self._categorical.log_prob(value.max(-1)[1])

    def entropy(self) -> Tensor:
        """The entropy, in nats."""
        return self._categorical.entropy()

    def enumerate_support(self, expand: bool = True) -> Tensor:
        """All categories, along the first dimension."""
        n = self.event_shape[0]
        values = eye(n, dtype=self._param.dtype).view((n,) + (1,) * len(self.batch_shape) + (n,))
        return values.expand((n, *self.batch_shape, n)) if expand else values


class OneHotCategoricalStraightThrough(OneHotCategorical):
    """The same; a draw has the gradient of the probabilities (Bengio and others, 2013)."""

    has_rsample = True

    def rsample(self, sample_shape: Any = Size(())) -> Tensor:  # noqa: B008
        """Draws of this shape that move as the probabilities do."""
        drawn, probs = self.sample(sample_shape), self._categorical.probs
        return drawn + (probs - probs.detach())
