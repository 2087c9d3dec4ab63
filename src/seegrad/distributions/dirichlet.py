"""Dirichlet's distribution."""

from __future__ import annotations

from typing import Any, ClassVar

from seegrad.arrays.rejection import dirichlet as draw_dirichlet
from seegrad.arrays.size import Size
from seegrad.distributions import constraints
from seegrad.distributions.exp_family import ExponentialFamily
from seegrad.graph.recorded import recorded as op
from seegrad.graph.state import thread
from seegrad.nn.functional import one_hot
from seegrad.ops import digamma, lgamma, xlogy

__all__ = ["Dirichlet"]

Tensor = Any


class Dirichlet(ExponentialFamily):
    """Shares that add up to 1, with concentrations (..., n).

    Samples move with them (implicit reparametrisation).
    """

    arg_constraints: ClassVar = {"concentration": constraints.independent(constraints.positive, 1)}
    support: Any = constraints.simplex
    has_rsample = True
    _event_dims: ClassVar = {"concentration": 1}

    def __init__(self, concentration: Tensor, validate_args: bool | None = None) -> None:
        if concentration.dim() < 1:
            raise ValueError("`concentration` parameter must be at least one-dimensional.")
        self.concentration = concentration
        shape = concentration.shape
        super().__init__(shape[:-1], shape[-1:], validate_args=validate_args)

    @property
    def mean(self) -> Tensor:
        """The mean."""
        return self.concentration / self.concentration.sum(-1, True)

    @property
    def mode(self) -> Tensor:
        """The most likely value."""
        return _mode(self.concentration)

    @property
    def variance(self) -> Tensor:
        """The variance."""
        total = self.concentration.sum(-1, True)
        share = self.concentration / total
        return share * (1 - share) / (total + 1)

    def rsample(self, sample_shape: Any = Size(())) -> Tensor:  # noqa: B008
        """Draws of this shape."""
        given = self.concentration.expand(self._extended_shape(sample_shape))
        drawn = thread.state.quiet(draw_dirichlet, None, given._array)
        return op.dirichlet(given, drawn)

    def log_prob(self, value: Tensor) -> Tensor:
        """The logarithm of the density or probability at `value`."""
        if self._validate_args:
            self._validate_sample(value)
        weights = self.concentration
        terms = xlogy(weights - 1.0, value).sum(-1)
        return terms + lgamma(weights.sum(-1)) - lgamma(weights).sum(-1)

    def entropy(self) -> Tensor:
        """The entropy, in nats."""
        count = self.concentration.size(-1)
        total = self.concentration.sum(-1)
        return (
            lgamma(self.concentration).sum(-1)
            - lgamma(total)
            - (count - total) * digamma(total)
            - ((self.concentration - 1.0) * digamma(self.concentration)).sum(-1)
        )

    @property
    def _natural_params(self) -> tuple[Tensor, ...]:
        return (self.concentration,)

    def _log_normalizer(self, x: Tensor) -> Tensor:
        return x.lgamma().sum(-1) - lgamma(x.sum(-1))


def _mode(concentration: Tensor) -> Tensor:
    """The shares less 1 each; where all are below 1, all in the largest."""
    above = (concentration - 1).clamp(min=0.0)
    mode = above / above.sum(-1, True)
    outside = (concentration < 1).all(dim=-1)
    mode[outside] = one_hot(mode[outside].argmax(dim=-1), concentration.shape[-1]).to(mode)
    return mode
