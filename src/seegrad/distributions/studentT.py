"""Student's distribution."""

from __future__ import annotations

import math
from math import inf, nan
from typing import Any, ClassVar

from seegrad.arrays.size import Size
from seegrad.distributions import constraints
from seegrad.distributions.chi2 import Chi2
from seegrad.distributions.distribution import Distribution
from seegrad.distributions.utils import broadcast_all, standard_normal
from seegrad.ops import digamma, lgamma, log1p, rsqrt

__all__ = ["StudentT"]

Tensor = Any


class StudentT(Distribution):
    """Student's distribution of `df` degrees of freedom."""

    arg_constraints: ClassVar = {
        "df": constraints.positive,
        "loc": constraints.real,
        "scale": constraints.positive,
    }
    support: Any = constraints.real
    has_rsample = True
    _event_dims: ClassVar = {"df": 0, "loc": 0, "scale": 0}

    def __init__(
        self, df: Any, loc: Any = 0.0, scale: Any = 1.0, validate_args: bool | None = None
    ) -> None:
        self.df, self.loc, self.scale = broadcast_all(df, loc, scale)
        self._chi2 = Chi2(self.df)
        super().__init__(self.df.size(), validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """The same distribution with parameters expanded to a batch of this shape."""
        new = self._get_checked_instance(StudentT, _instance)
        new._chi2 = self._chi2.expand(Size(batch_shape))
        return super().expand(batch_shape, new)

    @property
    def mean(self) -> Tensor:
        """The mean."""
        return self.loc.masked_fill(self.df <= 1, nan)

    @property
    def mode(self) -> Tensor:
        """The most likely value."""
        return self.loc

    @property
    def variance(self) -> Tensor:
        """The variance."""
        spread = self.scale.pow(2) * self.df / (self.df - 2)
        finite = spread.masked_fill(self.df <= 2, inf)
        return finite.masked_fill(self.df <= 1, nan)

    def rsample(self, sample_shape: Any = Size(())) -> Tensor:  # noqa: B008
        """Draws of this shape: a normal number over the root of a chi-squared one."""
        noise = standard_normal(self._extended_shape(sample_shape), self.df)
        square = self._chi2.rsample(sample_shape)
        return self.loc + self.scale * noise * rsqrt(square / self.df)

    def log_prob(self, value: Tensor) -> Tensor:
        """The logarithm of the density or probability at `value`."""
        if self._validate_args:
            self._validate_sample(value)
        place = (value - self.loc) / self.scale
        constant = (
            self.scale.log()
            + 0.5 * self.df.log()
            + 0.5 * math.log(math.pi)
            + lgamma(0.5 * self.df)
            - lgamma(0.5 * (self.df + 1.0))
        )
        return -0.5 * (self.df + 1.0) * log1p(place**2.0 / self.df) - constant

    def entropy(self) -> Tensor:
        """The entropy, in nats."""
        half = 0.5 * self.df
        beta = lgamma(half) + math.lgamma(0.5) - lgamma(0.5 * (self.df + 1))
        curve = 0.5 * (self.df + 1) * (digamma(0.5 * (self.df + 1)) - digamma(half))
        return self.scale.log() + curve + 0.5 * self.df.log() + beta
