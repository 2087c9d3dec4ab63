"""Distributions of what transforms make of the numbers of another distribution."""

from __future__ import annotations

from typing import Any, ClassVar

from seegrad.arrays.size import Size
from seegrad.autograd.grad_mode import no_grad
from seegrad.distributions import constraints
from seegrad.distributions.distribution import Distribution, known_class
from seegrad.distributions.independent import Independent
from seegrad.distributions.transforms import ComposeTransform, Transform
from seegrad.distributions.utils import sum_rightmost

__all__ = ["TransformedDistribution"]

Tensor = Any


class TransformedDistribution(Distribution):
    """What `transforms`, one after the other, make of numbers of `base_distribution`.

    The density is that of the base at the preimage, divided by the size of the Jacobian.

    >>> import seegrad as torch
    >>> D = torch.distributions
    >>> D.TransformedDistribution(D.Normal(0.0, 1.0), D.ExpTransform()).log_prob(torch.tensor(1.0))
    tensor(-0.9189)
    """

    arg_constraints: ClassVar = {}

    def __init__(
        self, base_distribution: Any, transforms: Any, validate_args: bool | None = None
    ) -> None:
        self.transforms = _listed(transforms)
        base_shape = base_distribution.batch_shape + base_distribution.event_shape
        event_dims = len(base_distribution.event_shape)
        transform = ComposeTransform(self.transforms)
        taken = transform.domain.event_dim
        if len(base_shape) < taken:
            raise ValueError(
                f"base_distribution needs to have shape with size at least {taken}, but got "
                f"{base_shape}."
            )
        forward = Size(transform.forward_shape(base_shape))
        wanted = Size(transform.inverse_shape(forward))
        if base_shape != wanted:
            base_distribution = base_distribution.expand(wanted[: len(wanted) - event_dims])
        if taken > event_dims:
            base_distribution = Independent(base_distribution, taken - event_dims)
        self.base_dist = base_distribution
        cut = len(forward) - transform.codomain.event_dim - max(event_dims - taken, 0)
        super().__init__(forward[:cut], forward[cut:], validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """The same distribution with parameters expanded to a batch of this shape."""
        new = self._get_checked_instance(known_class(self), _instance)
        batch_shape = Size(batch_shape)
        shape = batch_shape + self.event_shape
        for transform in reversed(self.transforms):
            shape = Size(transform.inverse_shape(shape))
        new.base_dist = self.base_dist.expand(
            shape[: len(shape) - len(self.base_dist.event_shape)]
        )
        new.transforms = self.transforms
        Distribution.__init__(new, batch_shape, self.event_shape, validate_args=False)
        new._validate_args = self._validate_args
        return new

    @constraints.dependent_property(is_discrete=False)
    def support(self) -> Any:
        """Where the last transform leads."""
        if not self.transforms:
            return self.base_dist.support
        support = self.transforms[-1].codomain
        missing = len(self.event_shape) - support.event_dim
        return constraints.independent(support, missing) if missing > 0 else support

    @property
    def has_rsample(self) -> Any:
        """As the base distribution."""
        return self.base_dist.has_rsample

    def _through(self, value: Tensor) -> Tensor:
        for transform in self.transforms:
            value = transform(value)
        return value

    def sample(self, sample_shape: Any = Size(())) -> Tensor:  # noqa: B008
        """Draws of this shape, without gradient."""
        with no_grad():
            return self._through(self.base_dist.sample(sample_shape))

    def rsample(self, sample_shape: Any = Size(())) -> Tensor:  # noqa: B008
        """Draws of this shape that move with the parameters."""
        return self._through(self.base_dist.rsample(sample_shape))

    def log_prob(self, value: Tensor) -> Tensor:
        """The logarithm of the density at `value`."""
        if self._validate_args:
            self._validate_sample(value)
        event_dim, log_prob, after = len(self.event_shape), 0.0, value
        for transform in reversed(self.transforms):
            before = transform.inv(after)
            event_dim += transform.domain.event_dim - transform.codomain.event_dim
            size = transform.log_abs_det_jacobian(before, after)
            log_prob = log_prob - sum_rightmost(size, event_dim - transform.domain.event_dim)
            after = before
        base = self.base_dist.log_prob(after)
        return log_prob + sum_rightmost(base, event_dim - len(self.base_dist.event_shape))

    def _monotonize_cdf(self, value: Tensor) -> Tensor:
        """A probability from the other end, where the transforms fall."""
        sign: Any = 1
        for transform in self.transforms:
            sign = sign * transform.sign
        if isinstance(sign, int) and sign == 1:
            return value
        return sign * (value - 0.5) + 0.5

    def cdf(self, value: Tensor) -> Tensor:
        """The probability of not exceeding `value`, for monotonous transforms."""
        for transform in self.transforms[::-1]:
            value = transform.inv(value)
        if self._validate_args:
            self.base_dist._validate_sample(value)
        return self._monotonize_cdf(self.base_dist.cdf(value))

    def icdf(self, value: Tensor) -> Tensor:
        """The number that is not exceeded with probability `value`."""
        return self._through(self.base_dist.icdf(self._monotonize_cdf(value)))


def _listed(transforms: Any) -> list[Transform]:
    if isinstance(transforms, Transform):
        return [transforms]
    if not isinstance(transforms, list):
        raise ValueError(f"transforms must be a Transform or list, but was {transforms}")
    if not all(isinstance(one, Transform) for one in transforms):
        raise ValueError("transforms must be a Transform or a list of Transforms")
    return transforms
