"""The normal distribution."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from seegrad.arrays.size import Size
from seegrad.autograd.grad_mode import no_grad
from seegrad.distributions import constraints
from seegrad.distributions.exp_family import ExponentialFamily
from seegrad.distributions.utils import broadcast_all, standard_normal
from seegrad.special import erf, erfinv
from seegrad.tensor.sampling import normal

__all__ = ["Normal"]

Tensor = Any
LOG_ROOT = math.log(math.sqrt(2 * math.pi))


class Normal(ExponentialFamily):
    """Normal numbers with means `loc` and standard deviations `scale`.

    >>> import seegrad as torch
    >>> torch.distributions.Normal(0.0, 1.0).log_prob(torch.tensor(0.0))
    tensor(-0.9189)
    """

    arg_constraints: ClassVar = {"loc": constraints.real, "scale": constraints.positive}
    support: Any = constraints.real
    has_rsample = True
    _mean_carrier_measure: Any = 0
    _event_dims: ClassVar = {"loc": 0, "scale": 0}

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        self.loc, self.scale = broadcast_all(loc, scale)
        super().__init__(self.loc.size(), validate_args=validate_args)

    @property
    def mean(self) -> Tensor:
        """`loc`."""
        return self.loc

    @property
    def mode(self) -> Tensor:
        """`loc`."""
        return self.loc

    @property
    def stddev(self) -> Tensor:
        """`scale`."""
        return self.scale

    @property
    def variance(self) -> Tensor:
        """The square of `scale`."""
        return self.stddev.pow(2)

    def sample(self, sample_shape: Any = Size(())) -> Tensor:  # noqa: B008
        """Draws of this shape."""
        shape = self._extended_shape(sample_shape)
        with no_grad():
            return normal(self.loc.expand(shape), self.scale.expand(shape))

    def rsample(self, sample_shape: Any = Size(())) -> Tensor:  # noqa: B008
        """Draws of this shape, loc + scale * noise."""
        noise = standard_normal(self._extended_shape(sample_shape), self.loc)
        return self.loc + noise * self.scale

    def log_prob(self, value: Tensor) -> Tensor:
        """The logarithm of the density."""
        if self._validate_args:
            self._validate_sample(value)
        square = (value - self.loc) ** 2
        return -square / (2 * self.scale**2) - self.scale.log() - LOG_ROOT

    def cdf(self, value: Tensor) -> Tensor:
        """The probability of not exceeding `value`."""
        if self._validate_args:
            self._validate_sample(value)
        return 0.5 * (1 + erf((value - self.loc) * self.scale.reciprocal() / math.sqrt(2)))

    def icdf(self, value: Tensor) -> Tensor:
        """The number that is not exceeded with probability `value`."""
        return self.loc + self.scale * erfinv(2 * value - 1) * math.sqrt(2)

    def entropy(self) -> Tensor:
        """The entropy, 1/2 + log(scale sqrt(2 pi))."""
        return 0.5 + 0.5 * math.log(2 * math.pi) + self.scale.log()

    @property
    def _natural_params(self) -> tuple[Tensor, Tensor]:
        return (self.loc / self.scale.pow(2), -0.5 * self.scale.pow(2).reciprocal())

    def _log_normalizer(self, x: Tensor, y: Tensor) -> Tensor:
        return -0.25 * x.pow(2) / y + 0.5 * (-math.pi / y).log()
