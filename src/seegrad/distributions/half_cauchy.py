"""The half-Cauchy distribution."""

from __future__ import annotations

import math
from math import inf
from typing import Any

from seegrad.distributions.cauchy import Cauchy
from seegrad.distributions.half import Half
from seegrad.ops import where
from seegrad.tensor.creation import as_tensor, full

__all__ = ["HalfCauchy"]

Tensor = Any


class HalfCauchy(Half):
    """Distances of Cauchy's numbers from 0."""

    def __init__(self, scale: Any, validate_args: bool | None = None) -> None:
        super().__init__(Cauchy(0, scale, validate_args=False), validate_args)

    @property
    def mean(self) -> Tensor:
        """The mean."""
        return full(self._extended_shape(), inf, dtype=self.scale.dtype)

    @property
    def variance(self) -> Tensor:
        """The variance."""
        return self.base_dist.variance

    def log_prob(self, value: Tensor) -> Tensor:
        """The logarithm of the density at `value`, a number too where nothing is validated."""
        if self._validate_args:
            self._validate_sample(value)
        value = as_tensor(value, dtype=self.base_dist.scale.dtype)
        log_prob = self.base_dist.log_prob(value) + math.log(2)
        return where(value >= 0, log_prob, -inf)
