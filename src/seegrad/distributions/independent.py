"""Batches of distributions as one distribution of several numbers."""

from __future__ import annotations

from typing import Any, ClassVar

from seegrad.arrays.size import Size
from seegrad.distributions import constraints
from seegrad.distributions.distribution import Distribution
from seegrad.distributions.utils import sum_rightmost

__all__ = ["Independent"]

Tensor = Any


class Independent(Distribution):
    """A distribution whose last batch dimensions are made dimensions of the event.

    >>> import seegrad as torch
    >>> D = torch.distributions
    >>> D.Independent(D.Normal(torch.zeros(3), torch.ones(3)), 1).event_shape
    torch.Size([3])
    """

    arg_constraints: ClassVar = {}

    def __init__(
        self,
        base_distribution: Any,
        reinterpreted_batch_ndims: int,
        validate_args: bool | None = None,
    ) -> None:
        known = len(base_distribution.batch_shape)
        if reinterpreted_batch_ndims > known:
            raise ValueError(
                "Expected reinterpreted_batch_ndims <= len(base_distribution.batch_shape), actual "
                f"{reinterpreted_batch_ndims} vs {known}"
            )
        shape = base_distribution.batch_shape + base_distribution.event_shape
        cut = known - reinterpreted_batch_ndims
        self.base_dist = base_distribution
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims
        super().__init__(shape[:cut], shape[cut:], validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """The same distribution with parameters expanded to a batch of this shape."""
        new = self._get_checked_instance(Independent, _instance)
        batch_shape = Size(batch_shape)
        taken = self.event_shape[: self.reinterpreted_batch_ndims]
        new.base_dist = self.base_dist.expand(batch_shape + taken)
        new.reinterpreted_batch_ndims = self.reinterpreted_batch_ndims
        Distribution.__init__(new, batch_shape, self.event_shape, validate_args=False)
        new._validate_args = self._validate_args
        return new

    @property
    def has_rsample(self) -> Any:
        """As the base distribution."""
        return self.base_dist.has_rsample

    @property
    def has_enumerate_support(self) -> Any:
        """Where no dimension was taken, as the base distribution."""
        return self.reinterpreted_batch_ndims == 0 and self.base_dist.has_enumerate_support

    @constraints.dependent_property
    def support(self) -> Any:
        """That of the base distribution, for all numbers of an event."""
        base, dims = self.base_dist.support, self.reinterpreted_batch_ndims
        return constraints.independent(base, dims) if dims else base

    @property
    def mean(self) -> Tensor:
        """The means."""
        return self.base_dist.mean

    @property
    def mode(self) -> Tensor:
        """The most likely values."""
        return self.base_dist.mode

    @property
    def variance(self) -> Tensor:
        """The variances."""
        return self.base_dist.variance

    def sample(self, sample_shape: Any = Size(())) -> Tensor:  # noqa: B008
        """Draws of this shape, without gradient."""
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape: Any = Size(())) -> Tensor:  # noqa: B008
        """Draws of this shape that move with the parameters."""
        return self.base_dist.rsample(sample_shape)

    def log_prob(self, value: Tensor) -> Tensor:
        """The sum of the logarithms of the densities of an event's numbers."""
        return sum_rightmost(self.base_dist.log_prob(value), self.reinterpreted_batch_ndims)

    def entropy(self) -> Tensor:
        """The sum of the entropies."""
        return sum_rightmost(self.base_dist.entropy(), self.reinterpreted_batch_ndims)

    def enumerate_support(self, expand: bool = True) -> Tensor:
        """All values, where no dimension was taken."""
        if self.reinterpreted_batch_ndims > 0:
            raise NotImplementedError("Enumeration over cartesian product is not implemented")
        return self.base_dist.enumerate_support(expand=expand)

    def __repr__(self) -> str:
        return f"{self.__class__.__name__}({self.base_dist}, {self.reinterpreted_batch_ndims})"
