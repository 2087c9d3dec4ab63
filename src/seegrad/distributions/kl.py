"""Kullback-Leibler divergences of pairs of distributions.

KL(p || q) is minus the entropy of p less the mean of log q. Densities q are told by few means of
p: of x, x^2, log x, log(1 - x) and exp(-x / s). So most pairs are `_against`.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from math import inf
from typing import Any

from seegrad import linalg
from seegrad.autograd import grad
from seegrad.distributions.bernoulli import Bernoulli
from seegrad.distributions.beta import Beta
from seegrad.distributions.binomial import Binomial
from seegrad.distributions.categorical import Categorical
from seegrad.distributions.cauchy import Cauchy
from seegrad.distributions.continuous_bernoulli import ContinuousBernoulli
from seegrad.distributions.dirichlet import Dirichlet
from seegrad.distributions.distribution import Distribution
from seegrad.distributions.exp_family import ExponentialFamily
from seegrad.distributions.exponential import Exponential
from seegrad.distributions.gamma import Gamma
from seegrad.distributions.geometric import Geometric
from seegrad.distributions.gumbel import Gumbel
from seegrad.distributions.half_normal import HalfNormal
from seegrad.distributions.independent import Independent
from seegrad.distributions.laplace import Laplace
from seegrad.distributions.lowrank_multivariate_normal import (
    LowRankMultivariateNormal,
    low_rank_log_det,
    low_rank_mahalanobis,
)
from seegrad.distributions.multivariate_normal import (
    MultivariateNormal,
    log_diagonal,
    mahalanobis,
)
from seegrad.distributions.normal import Normal
from seegrad.distributions.one_hot_categorical import OneHotCategorical
from seegrad.distributions.pareto import Pareto
from seegrad.distributions.poisson import Poisson
from seegrad.distributions.transformed_distribution import TransformedDistribution
from seegrad.distributions.uniform import Uniform
from seegrad.distributions.utils import euler_constant, sum_rightmost
from seegrad.nn.functional import softplus
from seegrad.ops import digamma, erf, exp, lgamma, log1p, xlogy
from seegrad.tensor.creation import full_like

__all__ = ["kl_divergence", "register_kl"]

Tensor = Any
Divergence = Callable[[Any, Any], Tensor]

_KL_REGISTRY: dict[tuple[type, type], Divergence] = {}
_KL_MEMOIZE: dict[tuple[type, type], Any] = {}


def register_kl(type_p: Any, type_q: Any) -> Callable[[Divergence], Divergence]:
    """A decorator of a function of p and q, which from now on is KL(p || q) of these classes.

    Raises TypeError for what is no class.
    """
    for given in (type_p, type_q):
        issubclass(given, Distribution)

    def decorator(function: Divergence) -> Divergence:
        _KL_REGISTRY[type_p, type_q] = function
        _KL_MEMOIZE.clear()
        return function

    return decorator


def kl_divergence(p: Distribution, q: Distribution) -> Tensor:
    """Return how many nats are lost where `q` is taken for `p`; shape `batch_shape`.

    Raises NotImplementedError for pairs that are not known.

    >>> import seegrad as torch
    >>> D = torch.distributions
    >>> D.kl_divergence(D.Normal(0.0, 1.0), D.Normal(1.0, 1.0))
    tensor(0.5000)
    """
    kinds = type(p), type(q)
    if kinds not in _KL_MEMOIZE:
        _KL_MEMOIZE[kinds] = _dispatched(*kinds)
    function = _KL_MEMOIZE[kinds]
    if function is NotImplemented:
        raise NotImplementedError(
            f"No KL(p || q) is implemented for p type {p.__class__.__name__} and q type "
            f"{q.__class__.__name__}"
        )
    return function(p, q)


def _dispatched(type_p: type, type_q: type) -> Any:
    """The function of the nearest classes; nearest in p first, or in q first, should agree."""
    known = [
        (super_p, super_q)
        for super_p, super_q in _KL_REGISTRY
        if issubclass(type_p, super_p) and issubclass(type_q, super_q)
    ]
    if not known:
        return NotImplemented

    def distance(pair: tuple[type, type]) -> tuple[int, int]:
        return type_p.__mro__.index(pair[0]), type_q.__mro__.index(pair[1])

    left = min(known, key=distance)
    right = min(known, key=lambda pair: distance(pair)[::-1])
    if _KL_REGISTRY[left] is not _KL_REGISTRY[right]:
        warnings.warn(
            f"Ambiguous kl_divergence({type_p.__name__}, {type_q.__name__}). Please "
            f"register_kl({left[0].__name__}, {right[1].__name__})",
            RuntimeWarning,
            stacklevel=3,
        )
    return _KL_REGISTRY[left]


# Means ------------------------------------------------------------------------


def _log_mean(p: Any) -> Tensor:
    """The mean of log x."""
    if isinstance(p, Beta):
        return digamma(p.concentration1) - digamma(p.concentration1 + p.concentration0)
    if isinstance(p, Gamma):
        return digamma(p.concentration) - p.rate.log()
    if isinstance(p, Exponential):
        return -euler_constant - p.rate.log()
    if isinstance(p, Pareto):
        return p.scale.log() + p.alpha.reciprocal()
    return (xlogy(p.high, p.high) - xlogy(p.low, p.low)) / (p.high - p.low) - 1


def _log_rest_mean(p: Any) -> Tensor:
    """The mean of log(1 - x)."""
    if isinstance(p, Beta):
        return digamma(p.concentration0) - digamma(p.concentration1 + p.concentration0)
    return _log_mean(Uniform(1 - p.high, 1 - p.low, validate_args=False))


def _decay_mean(p: Any, scale: Tensor) -> Tensor:
    """The mean of exp(-x / scale)."""
    if isinstance(p, Normal):
        return exp(-p.loc / scale + 0.5 * (p.scale / scale).pow(2))
    if isinstance(p, Exponential):
        return p.rate / (p.rate + scale.reciprocal())
    if isinstance(p, Gamma):
        return exp(-p.concentration * log1p((p.rate * scale).reciprocal()))
    if isinstance(p, Gumbel):
        return exp(-p.loc / scale + lgamma(1 + p.scale / scale))
    return scale * (exp(-p.low / scale) - exp(-p.high / scale)) / (p.high - p.low)


def _moments(p: Any) -> tuple[Tensor, Tensor]:
    """Mean and variance; Pareto's by their formulas also where they are not true."""
    if not isinstance(p, Pareto):
        return p.mean, p.variance
    less = p.alpha - 1
    return p.alpha * p.scale / less, p.scale.pow(2) * p.alpha / (less.pow(2) * (p.alpha - 2))


def _mean_log(p: Any, q: Any) -> Tensor:
    """The mean of the logarithm of the density q."""
    if isinstance(q, Normal):
        mean, variance = _moments(p)
        square = variance + (mean - q.loc).pow(2)
        return -0.5 * (math.log(2 * math.pi) + square / q.variance) - q.scale.log()
    if isinstance(q, Exponential):
        return q.rate.log() - q.rate * _moments(p)[0]
    if isinstance(q, Gamma):
        powers = q.concentration * q.rate.log() + (q.concentration - 1) * _log_mean(p)
        return powers - q.rate * _moments(p)[0] - lgamma(q.concentration)
    if isinstance(q, Beta):
        first, second = q.concentration1, q.concentration0
        constant = lgamma(first + second) - lgamma(first) - lgamma(second)
        return constant + (first - 1) * _log_mean(p) + (second - 1) * _log_rest_mean(p)
    if isinstance(q, ContinuousBernoulli):
        return p.mean * q.logits + log1p(-q.probs) + q._cont_bern_log_norm()
    if isinstance(q, Pareto):
        return q.alpha.log() + xlogy(q.alpha, q.scale) - (q.alpha + 1) * _log_mean(p)
    if isinstance(q, Gumbel):
        far = exp(q.loc / q.scale) * _decay_mean(p, q.scale)
        return -q.scale.log() - (p.mean - q.loc) / q.scale - far
    return -(q.high - q.low).log()


def _against(p: Any, q: Any) -> Tensor:
    """KL(p || q) by the entropy of p and the mean of log q."""
    return -p.entropy() - _mean_log(p, q)


def _infinite(p: Any, q: Any) -> Tensor:
    """KL(p || q) where p has numbers that q has not."""
    return full_like(_first_parameter(p), inf)


def _first_parameter(p: Any) -> Tensor:
    return getattr(p, next(name for name in p.arg_constraints if hasattr(p, name)))


def _within(outside: Callable[[Any, Any], Tensor]) -> Divergence:
    """KL(p || q), infinite where `outside` says that q does not have all numbers of p."""

    def divergence(p: Any, q: Any) -> Tensor:
        value = _against(p, q)
        return value.masked_fill(outside(p, q), inf)

    return divergence


_TABLE: dict[Any, tuple[Any, ...]] = {
    Beta: (Beta, ContinuousBernoulli, Exponential, Gamma, Normal),
    ContinuousBernoulli: (ContinuousBernoulli, Exponential, Normal),
    Exponential: (Gamma, Gumbel, Normal),
    Gamma: (Exponential, Gumbel, Normal),
    Gumbel: (Gumbel, Normal),
    Laplace: (Normal,),
    Normal: (Gumbel,),
    Uniform: (Gumbel, Normal),
}
_BOUNDED: Any = (Beta, ContinuousBernoulli)
_OUTSIDE: dict[Any, tuple[Any, ...]] = {
    Beta: (Pareto,),
    ContinuousBernoulli: (Pareto,),
    Exponential: (*_BOUNDED, Pareto, Uniform),
    Gamma: (*_BOUNDED, Pareto, Uniform),
    Gumbel: (*_BOUNDED, Exponential, Gamma, Pareto, Uniform),
    Laplace: (*_BOUNDED, Exponential, Gamma, Pareto, Uniform),
    Normal: (*_BOUNDED, Exponential, Gamma, Pareto, Uniform),
    Pareto: (*_BOUNDED, Uniform),
    Poisson: (Bernoulli, Binomial),
}
for _p, _several in _TABLE.items():
    for _q in _several:
        register_kl(_p, _q)(_against)

for _p, _several in _OUTSIDE.items():
    for _q in _several:
        register_kl(_p, _q)(_infinite)

_PARTLY: tuple[tuple[Any, Any, Callable[[Any, Any], Tensor]], ...] = (
    (Beta, Uniform, lambda p, q: (q.low > 0) | (q.high < 1)),
    (ContinuousBernoulli, Uniform, lambda p, q: (q.low > 0) | (q.high < 1)),
    (Pareto, Exponential, lambda p, q: p.alpha <= 1),
    (Pareto, Gamma, lambda p, q: p.alpha <= 1),
    (Pareto, Normal, lambda p, q: p.alpha <= 2),
    (Pareto, Pareto, lambda p, q: p.scale < q.scale),
    (Uniform, Beta, lambda p, q: (p.high > 1) | (p.low < 0)),
    (Uniform, ContinuousBernoulli, lambda p, q: (p.high >= 1) | (p.low <= 0)),
    (Uniform, Exponential, lambda p, q: p.low < 0),
    (Uniform, Gamma, lambda p, q: p.low < 0),
    (Uniform, Pareto, lambda p, q: p.low < q.scale),
    (Uniform, Uniform, lambda p, q: (q.low > p.low) | (q.high < p.high)),
)
for _p, _q, _outside in _PARTLY:
    register_kl(_p, _q)(_within(_outside))


# Pairs with formulas of their own -----------------------------------------------


@register_kl(Bernoulli, Bernoulli)
def _bernoulli_bernoulli(p: Any, q: Any) -> Tensor:
    one = p.probs * (softplus(-q.logits) - softplus(-p.logits))
    one = one.masked_fill(q.probs == 0, inf).masked_fill(p.probs == 0, 0)
    zero = (1 - p.probs) * (softplus(q.logits) - softplus(p.logits))
    return one + zero.masked_fill(q.probs == 1, inf).masked_fill(p.probs == 1, 0)


@register_kl(Bernoulli, Poisson)
def _bernoulli_poisson(p: Any, q: Any) -> Tensor:
    return -p.entropy() - (p.probs * q.rate.log() - q.rate)


@register_kl(Binomial, Binomial)
def _binomial_binomial(p: Any, q: Any) -> Tensor:
    if (p.total_count < q.total_count).any():
        raise NotImplementedError(
            "KL between Binomials where q.total_count > p.total_count is not implemented"
        )
    failing = log1p(-p.probs) - log1p(-q.probs)
    value = p.total_count * (p.probs * (p.logits - q.logits) + failing)
    return value.masked_fill(p.total_count > q.total_count, inf)


@register_kl(Categorical, Categorical)
def _categorical_categorical(p: Any, q: Any) -> Tensor:
    terms = p.probs * (p.logits - q.logits)
    return terms.masked_fill(q.probs == 0, inf).masked_fill(p.probs == 0, 0).sum(-1)


@register_kl(OneHotCategorical, OneHotCategorical)
def _one_hot_one_hot(p: Any, q: Any) -> Tensor:
    return _categorical_categorical(p._categorical, q._categorical)


@register_kl(Cauchy, Cauchy)
def _cauchy_cauchy(p: Any, q: Any) -> Tensor:
    apart = (p.scale + q.scale).pow(2) + (p.loc - q.loc).pow(2)
    return apart.log() - (4 * p.scale * q.scale).log()


@register_kl(Dirichlet, Dirichlet)
def _dirichlet_dirichlet(p: Any, q: Any) -> Tensor:
    first, second = p.concentration, q.concentration
    total = first.sum(-1)
    constant = (
        total.lgamma() - second.sum(-1).lgamma() + (second.lgamma() - first.lgamma()).sum(-1)
    )
    means = first.digamma() - total.digamma().unsqueeze(-1)
    return constant + ((first - second) * means).sum(-1)


@register_kl(Exponential, Exponential)
def _exponential_exponential(p: Any, q: Any) -> Tensor:
    ratio = q.rate / p.rate
    return ratio - ratio.log() - 1


@register_kl(Gamma, Gamma)
def _gamma_gamma(p: Any, q: Any) -> Tensor:
    powers = q.concentration * (p.rate / q.rate).log()
    constant = lgamma(q.concentration) - lgamma(p.concentration)
    shapes = (p.concentration - q.concentration) * digamma(p.concentration)
    return powers + constant + shapes + (q.rate - p.rate) * (p.concentration / p.rate)


@register_kl(Geometric, Geometric)
def _geometric_geometric(p: Any, q: Any) -> Tensor:
    return -p.entropy() - log1p(-q.probs) / p.probs - q.logits


@register_kl(HalfNormal, HalfNormal)
def _half_normal_half_normal(p: Any, q: Any) -> Tensor:
    return _normal_normal(p.base_dist, q.base_dist)


@register_kl(Laplace, Laplace)
def _laplace_laplace(p: Any, q: Any) -> Tensor:
    ratio = p.scale / q.scale
    apart = (p.loc - q.loc).abs()
    return -ratio.log() + apart / q.scale + ratio * exp(-apart / p.scale) - 1


@register_kl(Normal, Laplace)
def _normal_laplace(p: Any, q: Any) -> Tensor:
    offset = p.loc - q.loc
    place = offset / p.scale
    normal_part = math.sqrt(2 / math.pi) * p.scale * exp(-0.5 * place.pow(2))
    distance = normal_part + offset * erf(math.sqrt(0.5) * place)
    return -p.entropy() + (2 * q.scale).log() + distance / q.scale


@register_kl(Normal, Normal)
def _normal_normal(p: Any, q: Any) -> Tensor:
    ratio = (p.scale / q.scale).pow(2)
    return 0.5 * (ratio + ((p.loc - q.loc) / q.scale).pow(2) - 1 - ratio.log())


@register_kl(Poisson, Poisson)
def _poisson_poisson(p: Any, q: Any) -> Tensor:
    return p.rate * (p.rate.log() - q.rate.log()) - (p.rate - q.rate)


@register_kl(Independent, Independent)
def _independent_independent(p: Any, q: Any) -> Tensor:
    if p.reinterpreted_batch_ndims != q.reinterpreted_batch_ndims:
        raise NotImplementedError
    return sum_rightmost(kl_divergence(p.base_dist, q.base_dist), p.reinterpreted_batch_ndims)


@register_kl(TransformedDistribution, TransformedDistribution)
def _transformed_transformed(p: Any, q: Any) -> Tensor:
    if p.transforms != q.transforms or p.event_shape != q.event_shape:
        raise NotImplementedError
    return kl_divergence(p.base_dist, q.base_dist)


@register_kl(ExponentialFamily, ExponentialFamily)
def _family_family(p: Any, q: Any) -> Tensor:
    """The Bregman divergence of the log-normaliser."""
    if not type(p) == type(q):  # noqa: E721
        raise NotImplementedError(
            "The cross KL-divergence between different exponential families cannot"
            f"{' ' * 29}be computed using Bregman divergences"
        )
    first = [one.detach().requires_grad_() for one in p._natural_params]
    second = q._natural_params
    normalizer = p._log_normalizer(*first)
    slopes = grad(normalizer.sum(), first, create_graph=True)
    value = q._log_normalizer(*second) - normalizer
    for one, other, slope in zip(first, second, slopes, strict=True):
        value = value - sum_rightmost((other - one) * slope, len(q.event_shape))
    return value


# Normal vectors -------------------------------------------------------------------


def _half(p: Any, log_dets: Tensor, trace: Tensor, square: Tensor) -> Tensor:
    return 0.5 * (log_dets + trace + square - p.event_shape[0])


def _need_same_event(p: Any, q: Any, names: str) -> None:
    if p.event_shape != q.event_shape:
        raise ValueError(
            f"KL-divergence between two {names} with different event shapes cannot be computed"
        )


def _trace_by(factor: Tensor, columns: Tensor) -> Tensor:
    """The trace of (factor factor^T)^-1 columns columns^T."""
    return linalg.solve_triangular(factor, columns, upper=False).pow(2).sum((-2, -1))


@register_kl(MultivariateNormal, MultivariateNormal)
def _normals_normals(p: Any, q: Any) -> Tensor:
    _need_same_event(p, q, "Multivariate Normals")
    first, second = p._unbroadcasted_scale_tril, q._unbroadcasted_scale_tril
    log_dets = 2 * (log_diagonal(second) - log_diagonal(first))
    square = mahalanobis(second, q.loc - p.loc)
    return _half(p, log_dets, _trace_by(second, first), square)


def _low_rank_trace(q: Any, columns: Tensor) -> Tensor:
    """The trace of (W W^T + D)^-1 columns columns^T."""
    diagonal = q._unbroadcasted_cov_diag
    scaled = q._unbroadcasted_cov_factor.mT / diagonal.unsqueeze(-2)
    outside = (columns.pow(2) / diagonal.unsqueeze(-1)).sum((-2, -1))
    return outside - _trace_by(q._capacitance_tril, scaled @ columns)


def _low_rank_square(p: Any, q: Any) -> Tensor:
    factor, diagonal = q._unbroadcasted_cov_factor, q._unbroadcasted_cov_diag
    return low_rank_mahalanobis(factor, diagonal, q.loc - p.loc, q._capacitance_tril)


def _low_rank_log_det(p: Any) -> Tensor:
    return low_rank_log_det(p._unbroadcasted_cov_diag, p._capacitance_tril)


@register_kl(LowRankMultivariateNormal, LowRankMultivariateNormal)
def _low_low(p: Any, q: Any) -> Tensor:
    _need_same_event(p, q, "Low Rank Multivariate Normals")
    log_dets = _low_rank_log_det(q) - _low_rank_log_det(p)
    root = p._unbroadcasted_cov_diag.sqrt().diag_embed()
    trace = _low_rank_trace(q, p._unbroadcasted_cov_factor) + _low_rank_trace(q, root)
    return _half(p, log_dets, trace, _low_rank_square(p, q))


@register_kl(MultivariateNormal, LowRankMultivariateNormal)
def _normals_low(p: Any, q: Any) -> Tensor:
    _need_same_event(p, q, "(Low Rank) Multivariate Normals")
    factor = p._unbroadcasted_scale_tril
    log_dets = _low_rank_log_det(q) - 2 * log_diagonal(factor)
    return _half(p, log_dets, _low_rank_trace(q, factor), _low_rank_square(p, q))


@register_kl(LowRankMultivariateNormal, MultivariateNormal)
def _low_normals(p: Any, q: Any) -> Tensor:
    _need_same_event(p, q, "(Low Rank) Multivariate Normals")
    factor = q._unbroadcasted_scale_tril
    log_dets = 2 * log_diagonal(factor) - _low_rank_log_det(p)
    root = p._unbroadcasted_cov_diag.sqrt().diag_embed()
    trace = _trace_by(factor, p._unbroadcasted_cov_factor) + _trace_by(factor, root)
    return _half(p, log_dets, trace, mahalanobis(factor, q.loc - p.loc))
