"""The F distribution of Fisher and Snedecor."""

from __future__ import annotations

from math import nan
from typing import Any, ClassVar

from seegrad.arrays.limits import finfo
from seegrad.arrays.size import Size
from seegrad.distributions import constraints
from seegrad.distributions.distribution import Distribution
from seegrad.distributions.gamma import Gamma
from seegrad.distributions.utils import broadcast_all
from seegrad.ops import log1p

__all__ = ["FisherSnedecor"]

Tensor = Any


class FisherSnedecor(Distribution):
    """Quotients of two chi-squared numbers, each divided by its degrees of freedom."""

    arg_constraints: ClassVar = {"df1": constraints.positive, "df2": constraints.positive}
    support: Any = constraints.positive
    has_rsample = True
    _event_dims: ClassVar = {"df1": 0, "df2": 0}

    def __init__(self, df1: Any, df2: Any, validate_args: bool | None = None) -> None:
        self.df1, self.df2 = broadcast_all(df1, df2)
        self._gamma1 = Gamma(self.df1 * 0.5, self.df1)
        self._gamma2 = Gamma(self.df2 * 0.5, self.df2)
        super().__init__(self.df1.size(), validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """The same distribution with parameters expanded to a batch of this shape."""
        new = self._get_checked_instance(FisherSnedecor, _instance)
        new._gamma1 = self._gamma1.expand(Size(batch_shape))
        new._gamma2 = self._gamma2.expand(Size(batch_shape))
        return super().expand(batch_shape, new)

    @property
    def mean(self) -> Tensor:
        """The mean."""
        return self.df2.masked_fill(self.df2 <= 2, nan) / (self.df2 - 2)

    @property
    def mode(self) -> Tensor:
        """The most likely value."""
        peak = (self.df1 - 2) / self.df1 * self.df2 / (self.df2 + 2)
        return peak.masked_fill(self.df1 <= 2, nan)

    @property
    def variance(self) -> Tensor:
        """The variance."""
        known = self.df2.masked_fill(self.df2 <= 4, nan)
        factor = 2 * known.pow(2) * (self.df1 + known - 2)
        return factor / (self.df1 * (known - 2).pow(2) * (known - 4))

    def rsample(self, sample_shape: Any = Size(())) -> Tensor:  # noqa: B008
        """Draws of this shape."""
        tiny = finfo(self.df1.dtype).tiny
        upper = self._gamma1.rsample(sample_shape)
        lower = self._gamma2.rsample(sample_shape)
        lower.detach().clamp_(min=tiny)
        quotient = upper / lower
        quotient.detach().clamp_(min=tiny)
        return quotient

    def log_prob(self, value: Tensor) -> Tensor:
        """The logarithm of the density or probability at `value`."""
        if self._validate_args:
            self._validate_sample(value)
        first, second = self.df1 * 0.5, self.df2 * 0.5
        ratio = self.df1 / self.df2
        constant = (first + second).lgamma() - first.lgamma() - second.lgamma()
        power = first * ratio.log() + (first - 1) * value.log()
        return constant + power - (first + second) * log1p(ratio * value)
