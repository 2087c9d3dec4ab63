"""Transforms of each number alone."""

from __future__ import annotations

import math
from typing import Any

from seegrad.arrays.limits import finfo
from seegrad.distributions import constraints
from seegrad.distributions.transform import Same, Transform
from seegrad.distributions.utils import sum_rightmost
from seegrad.nn.functional import softplus
from seegrad.ops import abs as absolute
from seegrad.ops import broadcast_shapes, sigmoid
from seegrad.tensor.creation import full_like

__all__ = [
    "AbsTransform",
    "AffineTransform",
    "CumulativeDistributionTransform",
    "ExpTransform",
    "PowerTransform",
    "SigmoidTransform",
    "SoftplusTransform",
    "TanhTransform",
    "clamped",
]

Tensor = Any


class ExpTransform(Same):
    """y = exp(x)."""

    domain = constraints.real
    codomain = constraints.positive
    bijective = True
    sign: Any = +1

    def _call(self, x: Tensor) -> Tensor:
        return x.exp()

    def _inverse(self, y: Tensor) -> Tensor:
        return y.log()

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        """The logarithm of exp(x)."""
        return x


class PowerTransform(Transform):
    """y = x ** exponent, of positive numbers."""

    domain = constraints.positive
    codomain = constraints.positive
    bijective = True

    def __init__(self, exponent: Any, cache_size: int = 0) -> None:
        super().__init__(cache_size=cache_size)
        self.exponent = exponent

    def with_cache(self, cache_size: int = 1) -> Any:
        """The same transform with a cache of this size."""
        if self._cache_size == cache_size:
            return self
        return PowerTransform(self.exponent, cache_size=cache_size)

    @property
    def sign(self) -> Any:
        """The sign of the exponent."""
        return self.exponent.sign()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PowerTransform) and _equal(self.exponent, other.exponent)

    __hash__ = object.__hash__

    def _call(self, x: Tensor) -> Tensor:
        return x.pow(self.exponent)

    def _inverse(self, y: Tensor) -> Tensor:
        return y.pow(1 / self.exponent)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        """The logarithm of exponent * y / x."""
        return (self.exponent * y / x).abs().log()

    def forward_shape(self, shape: Any) -> Any:
        """The shape of the value of a tensor of this shape."""
        return broadcast_shapes(shape, getattr(self.exponent, "shape", ()))

    inverse_shape = forward_shape


def _equal(one: Any, other: Any) -> bool:
    same: Any = one == other
    return bool(same if isinstance(same, bool) else same.all())


class SigmoidTransform(Same):
    """y = 1 / (1 + exp(-x)), kept from 0 and 1."""

    domain = constraints.real
    codomain = constraints.unit_interval
    bijective = True
    sign: Any = +1

    def _call(self, x: Tensor) -> Tensor:
        return clamped(sigmoid(x))

    def _inverse(self, y: Tensor) -> Tensor:
        y = clamped(y)
        return y.log() - (-y).log1p()

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        """The logarithm of y (1 - y)."""
        return -softplus(-x) - softplus(x)


def clamped(y: Tensor) -> Tensor:
    limits = finfo(y.dtype)
    return y.clamp(min=limits.tiny, max=1.0 - limits.eps)


class SoftplusTransform(Same):
    """y = log(1 + exp(x)), x itself above 20."""

    domain = constraints.real
    codomain = constraints.positive
    bijective = True
    sign: Any = +1

    def _call(self, x: Tensor) -> Tensor:
        return softplus(x)

    def _inverse(self, y: Tensor) -> Tensor:
        return (-y).expm1().neg().log() + y

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        """The logarithm of the sigmoid of x."""
        return -softplus(-x)


class TanhTransform(Same):
    """y = tanh(x)."""

    domain = constraints.real
    codomain = constraints.interval(-1.0, 1.0)
    bijective = True
    sign: Any = +1

    def _call(self, x: Tensor) -> Tensor:
        return x.tanh()

    def _inverse(self, y: Tensor) -> Tensor:
        return y.atanh()

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        """The logarithm of 1 - y^2, right for large x too."""
        return 2.0 * (math.log(2.0) - x - softplus(-2.0 * x))


class AbsTransform(Same):
    """y = |x|; back goes the positive number."""

    domain = constraints.real
    codomain = constraints.positive

    def _call(self, x: Tensor) -> Tensor:
        return x.abs()

    def _inverse(self, y: Tensor) -> Tensor:
        return y


class AffineTransform(Transform):
    """y = loc + scale * x."""

    bijective = True

    def __init__(self, loc: Any, scale: Any, event_dim: int = 0, cache_size: int = 0) -> None:
        super().__init__(cache_size=cache_size)
        self.loc = loc
        self.scale = scale
        self._event_dim = event_dim

    @property
    def event_dim(self) -> Any:
        """How many of the last dimensions make one event."""
        return self._event_dim

    @constraints.dependent_property(is_discrete=False)
    def domain(self) -> Any:
        """All numbers."""
        return _reals(self.event_dim)

    @constraints.dependent_property(is_discrete=False)
    def codomain(self) -> Any:
        """All numbers."""
        return _reals(self.event_dim)

    def with_cache(self, cache_size: int = 1) -> Any:
        """The same transform with a cache of this size."""
        if self._cache_size == cache_size:
            return self
        return AffineTransform(self.loc, self.scale, self.event_dim, cache_size=cache_size)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, AffineTransform)
            and _equal(self.loc, other.loc)
            and _equal(self.scale, other.scale)
        )

    __hash__ = object.__hash__

    @property
    def sign(self) -> Any:
        """The sign of `scale`."""
        if isinstance(self.scale, int | float):
            return 1 if self.scale > 0 else -1 if self.scale < 0 else 0
        return self.scale.sign()

    def _call(self, x: Tensor) -> Tensor:
        return self.loc + self.scale * x

    def _inverse(self, y: Tensor) -> Tensor:
        return (y - self.loc) / self.scale

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        """The logarithm of `scale`, for each number of an event."""
        if isinstance(self.scale, int | float):
            size = full_like(x, math.log(abs(self.scale)))
        else:
            size = absolute(self.scale).log()
        if self.event_dim:
            size = sum_rightmost(size, self.event_dim)
        return size.expand(x.shape[: x.dim() - self.event_dim])

    def forward_shape(self, shape: Any) -> Any:
        """The shape of the value of a tensor of this shape."""
        loc, scale = (getattr(one, "shape", ()) for one in (self.loc, self.scale))
        return broadcast_shapes(shape, loc, scale)

    inverse_shape = forward_shape


def _reals(event_dim: int) -> Any:
    return constraints.independent(constraints.real, event_dim) if event_dim else constraints.real


class CumulativeDistributionTransform(Transform):
    """Numbers of a distribution to the probabilities of not exceeding them."""

    bijective = True
    codomain = constraints.unit_interval
    sign: Any = +1

    def __init__(self, distribution: Any, cache_size: int = 0) -> None:
        super().__init__(cache_size=cache_size)
        self.distribution = distribution

    @property
    def domain(self) -> Any:
        """The support of the distribution."""
        return self.distribution.support

    def _call(self, x: Tensor) -> Tensor:
        return self.distribution.cdf(x)

    def _inverse(self, y: Tensor) -> Tensor:
        return self.distribution.icdf(y)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        """The logarithm of the density."""
        return self.distribution.log_prob(x)

    def with_cache(self, cache_size: int = 1) -> Any:
        """The same transform with a cache of this size."""
        if self._cache_size == cache_size:
            return self
        return CumulativeDistributionTransform(self.distribution, cache_size=cache_size)
