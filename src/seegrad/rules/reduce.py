"""Derivatives of sums, means, variances, extremes and norms.

A gradient comes back with the shape of the result; `spread` gives it the operand's. Conventions:
max, min, amax, amin and median share ties evenly, max over a dimension gives all to the index it
returned, the norm of zeros has gradient zero.
"""

import math
from typing import Any

from seegrad.arrays.reduce import count_of, mean_backward
from seegrad.rules.spec import constant, general, linear

Xp = Any
Value = Any
Shape = tuple[int, ...]
Dims = tuple[int, ...] | None


def kept(xp: Xp, value: Value, ndim: int, dim: int | Dims, keepdim: bool) -> Value:
    """A result with its reduced dimensions back, of size one, so that it broadcasts."""
    if keepdim or ndim == 0 or dim is None or dim == ():
        return value
    for one in sorted((dim,) if isinstance(dim, int) else dim):
        value = xp.unsqueeze(value, one)
    return value


def spread(xp: Xp, grad: Value, shape: Shape, dim: int | Dims, keepdim: bool) -> Value:
    """A gradient repeated over the dimensions that were summed."""
    return xp.expand(kept(xp, grad, len(shape), dim, keepdim), shape)


# Sums and means

linear("sum(self)", self=lambda xp, grad, self_shape: xp.expand(grad, self_shape))
linear(
    "sum_dim(self, dim, keepdim=False)",
    node="SumBackward1",
    self=lambda xp, grad, self_shape, dim, keepdim: spread(xp, grad, self_shape, dim, keepdim),
)
general(
    "nansum(self, dim=None, keepdim=False)",
    self=lambda xp, grad, self, dim, keepdim: xp.where(
        xp.isnan(self), 0.0, kept(xp, grad, self.ndim, dim, keepdim)
    ),
)
linear(
    "mean(self)",
    fast=mean_backward,
    self=lambda xp, grad, self_shape, self_numel: xp.expand(grad, self_shape) / self_numel,
)
linear(
    "mean_dim(self, dim, keepdim=False)",
    node="MeanBackward1",
    self=lambda xp, grad, self_shape, dim, keepdim: (
        spread(xp, grad, self_shape, dim, keepdim) / count_of(self_shape, dim)
    ),
)
general(
    "logsumexp(self, dim, keepdim=False)",
    self=lambda xp, grad, self, result, dim, keepdim: (
        kept(xp, grad, self.ndim, dim, keepdim)
        * xp.exp(self - kept(xp, result, self.ndim, dim, keepdim))
    ),
)


# Variances


def var_self(
    xp: Xp, grad: Value, self: Value, dim: Dims, correction: float | None, keepdim: bool
) -> Value:
    """`2 / (n - correction) (x - mean)`."""
    free = count_of(self.shape, dim) - (1 if correction is None else correction)
    scale = 2 / free if free > 0 else math.inf
    grad = kept(xp, grad, self.ndim, dim, keepdim)
    return scale * grad * (self - xp.mean_dim(self, dim, True))


def std_self(
    xp: Xp,
    grad: Value,
    self: Value,
    result: Value,
    dim: Dims,
    correction: float | None,
    keepdim: bool,
) -> Value:
    """Of the root of the variance; 0 where all elements are equal."""
    constant = result == 0
    of_variance = grad / xp.where(constant, 1.0, result * 2)
    return var_self(xp, xp.where(constant, 0.0, of_variance), self, dim, correction, keepdim)


def mean_self(xp: Xp, grad: Value, self: Value, dim: Dims, keepdim: bool) -> Value:
    """An equal share for each."""
    return spread(xp, grad, self.shape, dim, keepdim) / count_of(self.shape, dim)


def var_mean_self(
    xp: Xp,
    grads: tuple[Value, Value],
    self: Value,
    dim: Dims,
    correction: float | None,
    keepdim: bool,
) -> Value:
    """Of variance and mean, those that were used."""
    of_var, of_mean = grads
    total = None if of_mean is None else mean_self(xp, of_mean, self, dim, keepdim)
    if of_var is None:
        return total
    part = var_self(xp, of_var, self, dim, correction, keepdim)
    return part if total is None else part + total


def std_mean_self(
    xp: Xp,
    grads: tuple[Value, Value],
    self: Value,
    dim: Dims,
    correction: float | None,
    keepdim: bool,
) -> Value:
    """Of standard deviation and mean, those that were used."""
    of_std, of_mean = grads
    total = None if of_mean is None else mean_self(xp, of_mean, self, dim, keepdim)
    if of_std is None:
        return total
    result = xp.std(self, dim, correction, keepdim)
    part = std_self(xp, of_std, self, result, dim, correction, keepdim)
    return part if total is None else part + total


general("var(self, dim, correction, keepdim)", holomorphic=False, self=var_self)
general("std(self, dim, correction, keepdim)", holomorphic=False, self=std_self)
general(
    "var_mean(self, dim, correction, keepdim)",
    holomorphic=False,
    outputs="list",
    self=var_mean_self,
)
general(
    "std_mean(self, dim, correction, keepdim)",
    holomorphic=False,
    outputs="list",
    self=std_mean_self,
)


# Products

general("prod(self)", self=lambda xp, grad, self: grad * xp.prod_others(self, None))
general(
    "prod_dim(self, dim, keepdim=False)",
    node="ProdBackward1",
    self=lambda xp, grad, self, dim, keepdim: (
        kept(xp, grad, self.ndim, dim, keepdim) * xp.prod_others(self, dim)
    ),
)


# Extremes


def share(xp: Xp, grad: Value, chosen: Value, dim: Dims) -> Value:
    """grad divided evenly among the chosen elements of each reduction."""
    return xp.where(chosen, grad, 0.0) / xp.sum_dim(chosen, dim, True)


def share_equals(xp: Xp, grad: Value, self: Value, result: Value) -> Value:
    """grad divided evenly among the elements that equal the result; NaN equals NaN here."""
    chosen = (self == result) | (xp.isnan(self) & xp.isnan(result))
    return share(xp, grad, chosen, None)


def share_extremes(
    xp: Xp, grad: Value, self: Value, result: Value, dim: Dims, keepdim: bool
) -> Value:
    """The same over dimensions."""
    grad = kept(xp, grad, self.ndim, dim, keepdim)
    return share(xp, grad, self == kept(xp, result, self.ndim, dim, keepdim), dim)


def aminmax_self(
    xp: Xp, grads: tuple[Value, Value], self: Value, dim: int | None, keepdim: bool
) -> Value:
    """Of smallest and largest, those that were used."""
    dims = None if dim is None else (dim,)
    total = None
    for grad, extreme in zip(grads, (xp.amin, xp.amax), strict=True):
        if grad is not None:
            result = extreme(self, dims, keepdim)
            part = share_extremes(xp, grad, self, result, dims, keepdim)
            total = part if total is None else total + part
    return total


def at_indices(
    xp: Xp, grad: Value, self_shape: Shape, dim: int, keepdim: bool, indices: Value
) -> Value:
    """grad where the indices point, zero elsewhere."""
    ndim = len(self_shape)
    grad, indices = (kept(xp, value, ndim, dim, keepdim) for value in (grad, indices))
    return xp.scatter(xp.new_zeros(grad, self_shape), dim, indices, grad)


for _name in ("max", "min"):
    general(f"{_name}(self)", node=f"{_name.capitalize()}Backward1", self=share_equals)
    general(f"a{_name}(self, dim, keepdim=False)", self=share_extremes)
    general(
        f"{_name}_dim(self, dim, keepdim=False)",
        node=f"{_name.capitalize()}Backward0",
        outputs="values indices",
        self=at_indices,
    )
    constant(f"arg{_name}(self, dim, keepdim)")

general("aminmax(self, dim, keepdim)", outputs="list", self=aminmax_self)
general("median(self)", self=share_equals)
general(
    "median_dim(self, dim, keepdim=False)",
    node="MedianBackward1",
    outputs="values indices",
    self=at_indices,
)
constant("all(self, dim, keepdim)")
constant("any(self, dim, keepdim)")
constant("count_nonzero(self, dim)")


# Norms


def norm_slope(xp: Xp, self: Value, norm: Value, ord: float, dim: Dims) -> Value:
    """The gradient of the norm of order p: `sgn(x) (|x| / norm)^(p-1)`; 0 where the norm is 0."""
    if ord == 1:
        return xp.sgn(self)
    if math.isinf(ord):
        chosen = xp.abs(self) == norm
        return share(xp, xp.sgn(self), chosen, dim)
    safe = xp.where(norm == 0, 1.0, norm)
    if ord == 2:
        return xp.where(norm == 0, 0.0, self / safe)
    # A zero with an exponent below one would be inf; its slope is taken as 0.
    size = xp.where(self == 0, 1.0, xp.abs(self))
    slope = xp.sgn(self) * xp.pow_scalar(size / safe, ord - 1)
    return xp.where(norm == 0, 0.0, slope)


def vector_norm_self(
    xp: Xp, grad: Value, self: Value, result: Value, ord: float, dim: Dims, keepdim: bool
) -> Value:
    """grad along the norm's slope; counting what is not zero has none."""
    if ord == 0:
        return None
    grad, norm = (kept(xp, value, self.ndim, dim, keepdim) for value in (grad, result))
    return grad * norm_slope(xp, self, norm, ord, dim)


def dist_self(xp: Xp, grad: Value, self: Value, other: Value, p: float, result: Value) -> Value:
    """grad along the slope of the norm of the difference."""
    return grad * norm_slope(xp, self - other, result, p, None)


def renorm_self(xp: Xp, grad: Value, self: Value, p: float, dim: int, maxnorm: float) -> Value:
    """Of `x m / (norm + e)` where the norm of a slice is above m, of x elsewhere."""
    others = tuple(d for d in range(self.ndim) if d != dim)
    norm = xp.linalg_vector_norm(self, p, others, True)
    factor = maxnorm / (norm + RENORM_EPS)
    along = xp.real(xp.sum_dim(grad * xp.conj(self), others, True))
    of_norm = along * factor / (norm + RENORM_EPS)
    shrunk = grad * factor - of_norm * norm_slope(xp, self, norm, p, others)
    return xp.where(norm > maxnorm, shrunk, grad)


RENORM_EPS = 1e-7  # PyTorch's, so that no norm is above the bound after rounding

general("renorm(self, p, dim, maxnorm)", holomorphic=False, inplace=True, self=renorm_self)
general("linalg_vector_norm(self, ord, dim, keepdim)", holomorphic=False, self=vector_norm_self)
general(
    "dist(self, other, p)",
    holomorphic=False,
    self=dist_self,
    other=lambda xp, grad, self, other, p, result: -dist_self(xp, grad, self, other, p, result),
)
