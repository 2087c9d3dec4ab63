"""The chi-squared distribution."""

from __future__ import annotations

from typing import Any, ClassVar

from seegrad.distributions import constraints
from seegrad.distributions.gamma import Gamma

__all__ = ["Chi2"]

Tensor = Any


class Chi2(Gamma):
    """Sums of the squares of `df` standard normal numbers."""

    arg_constraints: ClassVar = {"df": constraints.positive}
    _event_dims: ClassVar = {"concentration": 0, "rate": 0}

    def __init__(self, df: Any, validate_args: bool | None = None) -> None:
        super().__init__(0.5 * df, 0.5, validate_args=validate_args)

    @property
    def df(self) -> Tensor:
        """The degrees of freedom."""
        return self.concentration * 2
