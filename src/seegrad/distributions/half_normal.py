"""The half-normal distribution."""

from __future__ import annotations

import math
from typing import Any

from seegrad.distributions.half import Half
from seegrad.distributions.normal import Normal

__all__ = ["HalfNormal"]

Tensor = Any


class HalfNormal(Half):
    """Distances of normal numbers from 0."""

    def __init__(self, scale: Any, validate_args: bool | None = None) -> None:
        super().__init__(Normal(0, scale, validate_args=False), validate_args)

    @property
    def mean(self) -> Tensor:
        """The mean."""
        return self.scale * math.sqrt(2 / math.pi)

    @property
    def variance(self) -> Tensor:
        """The variance."""
        return self.scale.pow(2) * (1 - 2 / math.pi)
