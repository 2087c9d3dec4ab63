"""The multinomial distribution."""

from __future__ import annotations

from typing import Any, ClassVar

from seegrad.arrays.size import Size
from seegrad.autograd.grad_mode import no_grad
from seegrad.distributions import constraints
from seegrad.distributions.binomial import Binomial
from seegrad.distributions.categorical import Categorical
from seegrad.distributions.distribution import Distribution
from seegrad.distributions.utils import broadcast_all
from seegrad.ops import exp, lgamma
from seegrad.tensor.creation import ones_like, tensor

__all__ = ["Multinomial"]

Tensor = Any


class Multinomial(Distribution):
    """How often each category comes in `total_count` draws."""

    arg_constraints: ClassVar = {"probs": constraints.simplex, "logits": constraints.real_vector}
    total_count: int

    def __init__(
        self,
        total_count: int = 1,
        probs: Any = None,
        logits: Any = None,
        validate_args: bool | None = None,
    ) -> None:
        if not isinstance(total_count, int):
            raise NotImplementedError("inhomogeneous total_count is not supported")
        self.total_count = total_count
        self._categorical = Categorical(probs=probs, logits=logits)
        self._binomial = Binomial(total_count=total_count, probs=self.probs)
        shape = self._categorical.param_shape
        super().__init__(shape[:-1], shape[-1:], validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """The same distribution with parameters expanded to a batch of this shape."""
        new = self._get_checked_instance(Multinomial, _instance)
        new.total_count = self.total_count
        new._categorical = self._categorical.expand(Size(batch_shape))
        new._binomial = self._binomial.expand(Size((*batch_shape, *self.event_shape)))
        return super().expand(batch_shape, new)

    def _new(self, *args: Any, **kwargs: Any) -> Tensor:
        return self._categorical._new(*args, **kwargs)

    @constraints.dependent_property(is_discrete=True, event_dim=1)
    def support(self) -> Any:
        """Counts that add up to `total_count` at most."""
        return constraints.multinomial(self.total_count)

    @property
    def probs(self) -> Tensor:
        """The probabilities of the categories."""
        return self._categorical.probs

    @property
    def logits(self) -> Tensor:
        """Their logarithms."""
        return self._categorical.logits

    @property
    def param_shape(self) -> Any:
        """The shape of the parameter."""
        return self._categorical.param_shape

    @property
    def mean(self) -> Tensor:
        """The mean counts."""
        return self.probs * self.total_count

    @property
    def variance(self) -> Tensor:
        """The variances of the counts."""
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape: Any = Size(())) -> Tensor:  # noqa: B008
        """Draws of this shape."""
        sample_shape = Size(sample_shape)
        with no_grad():
            drawn = self._categorical.sample(Size((self.total_count, *sample_shape)))
            places = drawn.permute((*range(1, drawn.dim()), 0))
            counts = self.probs.new_zeros(self._extended_shape(sample_shape))
            counts.scatter_add_(-1, places, ones_like(places).to(counts))
            return counts.type_as(self.probs)

    def entropy(self) -> Tensor:
        """The entropy, in nats."""
        count = tensor(self.total_count)
        single = self._categorical.entropy()
        values = self._binomial.enumerate_support(expand=False)[1:]
        weights = exp(self._binomial.log_prob(values))
        repeated = (weights * lgamma(values + 1)).sum([0, -1])
        return count * single - lgamma(count + 1) + repeated

    def log_prob(self, value: Tensor) -> Tensor:
        """The logarithm of the probability of the counts in `value`."""
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        logits = logits.masked_fill((value == 0) & (logits == -float("inf")), 0)
        choices = lgamma(value.sum(-1) + 1) - lgamma(value + 1).sum(-1)
        return choices + (logits * value).sum(-1)
