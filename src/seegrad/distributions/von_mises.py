"""The distribution of angles of von Mises."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from seegrad.arrays.size import Size
from seegrad.autograd.grad_mode import no_grad
from seegrad.distributions import constraints
from seegrad.distributions.distribution import Distribution
from seegrad.distributions.utils import broadcast_all, lazy_property
from seegrad.ops import cos, log, where
from seegrad.special import i0e, i1e
from seegrad.tensor.creation import empty, zeros
from seegrad.tensor.sampling import rand

__all__ = ["VonMises"]

Tensor = Any


class VonMises(Distribution):
    """Angles about `loc`, the closer the larger `concentration` is."""

    arg_constraints: ClassVar = {"loc": constraints.real, "concentration": constraints.positive}
    support: Any = constraints.real
    has_rsample = False
    _event_dims: ClassVar = {"loc": 0, "concentration": 0}

    def __init__(
        self, loc: Tensor, concentration: Tensor, validate_args: bool | None = None
    ) -> None:
        self.loc, self.concentration = broadcast_all(loc, concentration)
        super().__init__(self.loc.shape, Size(()), validate_args)

    def log_prob(self, value: Tensor) -> Tensor:
        """The logarithm of the density at `value`."""
        if self._validate_args:
            self._validate_sample(value)
        # i0(c) = i0e(c) exp(c), which would overflow
        towards = self.concentration * (cos(value - self.loc) - 1)
        return towards - math.log(2 * math.pi) - i0e(self.concentration).log()

    @lazy_property
    def _wide(self) -> tuple[Tensor, Tensor, Tensor]:
        """Parameters in float64, and that of the wrapped Cauchy distribution of the proposals."""
        concentration = self.concentration.double()
        tau = 1 + (1 + 4 * concentration**2).sqrt()
        rho = (tau - (2 * tau).sqrt()) / (2 * concentration)
        exact = (1 + rho**2) / (2 * rho)
        small = 1 / concentration + concentration
        return self.loc.double(), concentration, where(concentration < 1e-5, small, exact)

    def sample(self, sample_shape: Any = Size(())) -> Tensor:  # noqa: B008
        """Draws of this shape, by the method of Best and Fisher (1979)."""
        shape = self._extended_shape(sample_shape)
        with no_grad():
            loc, concentration, r = (one.expand(shape) for one in self._wide)
            x, done = empty(shape, dtype=loc.dtype), zeros(shape, dtype=self._bool)
            while not done.all():
                first, second, third = rand((3, *shape), dtype=loc.dtype).unbind()
                z = cos(math.pi * first)
                f = (1 + r * z) / (r + z)
                c = concentration * (r - f)
                accepted = (c * (2 - c) - second > 0) | (log(c / second) + 1 - c >= 0)
                if accepted.any():
                    x = where(accepted, (third - 0.5).sign() * f.acos(), x)
                    done = done | accepted
            return ((x + math.pi + loc) % (2 * math.pi) - math.pi).to(self.loc.dtype)

    @property
    def _bool(self) -> Any:
        return (self.loc == self.loc).dtype

    @property
    def mean(self) -> Tensor:
        """`loc`: the direction of the mean."""
        return self.loc

    @property
    def mode(self) -> Tensor:
        """`loc`."""
        return self.loc

    @lazy_property
    def variance(self) -> Tensor:
        """The circular variance, 1 less the length of the mean."""
        return 1 - i1e(self.concentration) / i0e(self.concentration)
