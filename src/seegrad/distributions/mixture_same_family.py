"""Mixtures of distributions of one family."""

from __future__ import annotations

from typing import Any, ClassVar

from seegrad.arrays.size import Size
from seegrad.autograd.grad_mode import no_grad
from seegrad.distributions import constraints
from seegrad.distributions.categorical import Categorical
from seegrad.distributions.distribution import Distribution
from seegrad.ops import log_softmax, logsumexp

__all__ = ["MixtureSameFamily"]

Tensor = Any


class MixtureSameFamily(Distribution):
    """Draws of a component, the last batch dimension of a distribution, that was drawn first.

    >>> import seegrad as torch
    >>> D = torch.distributions
    >>> weights, parts = D.Categorical(torch.ones(2)), D.Normal(torch.tensor([0.0, 4.0]), 1.0)
    >>> D.MixtureSameFamily(weights, parts).mean
    tensor(2.)
    """

    arg_constraints: ClassVar = {}
    has_rsample = False

    def __init__(
        self,
        mixture_distribution: Categorical,
        component_distribution: Distribution,
        validate_args: bool | None = None,
    ) -> None:
        self._mixture_distribution = mixture_distribution
        self._component_distribution = component_distribution
        if not isinstance(mixture_distribution, Categorical):
            raise ValueError(
                " The Mixture distribution needs to be an  instance of "
                "torch.distributions.Categorical"
            )
        if not isinstance(component_distribution, Distribution):
            raise ValueError(
                "The Component distribution needs to be an instance of "
                "torch.distributions.Distribution"
            )
        weights = mixture_distribution.batch_shape
        components = component_distribution.batch_shape[:-1]
        for one, other in zip(reversed(weights), reversed(components), strict=False):
            if one != 1 and other != 1 and one != other:
                raise ValueError(
                    f"`mixture_distribution.batch_shape` ({weights}) is not compatible with "
                    f"`component_distribution.batch_shape`({components})"
                )
        count, known = (
            mixture_distribution.logits.shape[-1],
            component_distribution.batch_shape[-1],
        )
        if count != known:
            raise ValueError(
                f"`mixture_distribution component` ({count}) does not equal "
                f"`component_distribution.batch_shape[-1]` ({known})"
            )
        self._num_component = count
        event_shape = component_distribution.event_shape
        self._event_ndims = len(event_shape)
        super().__init__(components, event_shape, validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """The same distribution with parameters expanded to a batch of this shape."""
        batch_shape = Size(batch_shape)
        new = self._get_checked_instance(MixtureSameFamily, _instance)
        new._component_distribution = self._component_distribution.expand(
            Size((*batch_shape, self._num_component))
        )
        new._mixture_distribution = self._mixture_distribution.expand(batch_shape)
        new._num_component = self._num_component
        new._event_ndims = self._event_ndims
        return super().expand(batch_shape, new)

    @constraints.dependent_property
    def support(self) -> Any:
        """What every component could have drawn."""
        return constraints.MixtureSameFamilyConstraint(self._component_distribution.support)

    @property
    def mixture_distribution(self) -> Categorical:
        """Which component is drawn."""
        return self._mixture_distribution

    @property
    def component_distribution(self) -> Distribution:
        """The components."""
        return self._component_distribution

    @property
    def mean(self) -> Tensor:
        """The mean."""
        weights = self._pad_mixture_dimensions(self.mixture_distribution.probs)
        return (weights * self.component_distribution.mean).sum(-1 - self._event_ndims)

    @property
    def variance(self) -> Tensor:
        """The mean of the variances and the variance of the means."""
        weights = self._pad_mixture_dimensions(self.mixture_distribution.probs)
        place = -1 - self._event_ndims
        inner = (weights * self.component_distribution.variance).sum(place)
        offsets = (self.component_distribution.mean - self._pad(self.mean)).pow(2.0)
        return inner + (weights * offsets).sum(place)

    def cdf(self, x: Tensor) -> Tensor:
        """The probability of not exceeding `x`."""
        below = self.component_distribution.cdf(self._pad(x))
        return (below * self.mixture_distribution.probs).sum(-1)

    def log_prob(self, x: Tensor) -> Tensor:
        """The logarithm of the density at `x`."""
        if self._validate_args:
            self._validate_sample(x)
        densities = self.component_distribution.log_prob(self._pad(x))
        weights = log_softmax(self.mixture_distribution.logits, dim=-1)
        return logsumexp(densities + weights, dim=-1)

    def sample(self, sample_shape: Any = Size(())) -> Tensor:  # noqa: B008
        """Draws of this shape: the components first, then a draw of each of them."""
        with no_grad():
            shape = Size(sample_shape)
            batch = len(shape) + len(self.batch_shape)
            chosen = self.mixture_distribution.sample(shape)
            drawn = self.component_distribution.sample(shape)
            ones = (1,) * (self._event_ndims + 1)
            places = chosen.reshape((*chosen.shape, *ones))
            places = places.repeat((*(1,) * len(chosen.shape), 1, *self.event_shape))
            return drawn.gather(batch, places).squeeze(batch)

    def _pad(self, x: Tensor) -> Tensor:
        return x.unsqueeze(-1 - self._event_ndims)

    def _pad_mixture_dimensions(self, x: Tensor) -> Tensor:
        missing = len(self.batch_shape) - len(self.mixture_distribution.batch_shape)
        inner = (1,) * self._event_ndims
        return x.reshape((*x.shape[:-1], *(1,) * missing, x.shape[-1], *inner))

    def __repr__(self) -> str:
        return (
            f"MixtureSameFamily(\n  {self.mixture_distribution},\n  {self.component_distribution})"
        )
