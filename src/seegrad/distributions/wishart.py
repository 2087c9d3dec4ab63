"""The distribution of covariance matrices of Wishart."""

from __future__ import annotations

import math
import warnings
from numbers import Number
from typing import Any

from seegrad import linalg
from seegrad.arrays.limits import finfo
from seegrad.arrays.size import Size
from seegrad.distributions import constraints
from seegrad.distributions.chi2 import Chi2
from seegrad.distributions.exp_family import ExponentialFamily
from seegrad.distributions.multivariate_normal import (
    FORMS,
    log_diagonal,
    precision_to_factor,
)
from seegrad.distributions.utils import lazy_property
from seegrad.functions import mvlgamma
from seegrad.ops import broadcast_shapes, cholesky_inverse, cholesky_solve, digamma, where
from seegrad.tensor.creation import arange, tensor, tril_indices
from seegrad.tensor.sampling import randn

__all__ = ["Wishart"]

Tensor = Any


def mvdigamma(x: Tensor, p: int) -> Tensor:
    """The derivative of the multivariate log-gamma function."""
    steps = arange(p, dtype=x.dtype).div(2)
    return digamma(x.unsqueeze(-1) - steps.expand((*x.shape, -1))).sum(-1)


class Wishart(ExponentialFamily):
    """Sums of `df` outer products of normal vectors, whose covariance has three forms."""

    support: Any = constraints.positive_definite
    has_rsample = True
    _mean_carrier_measure: Any = 0

    @property
    def arg_constraints(self) -> Any:
        """More degrees of freedom than the matrices have rows, less one."""
        return {
            "covariance_matrix": constraints.positive_definite,
            "precision_matrix": constraints.positive_definite,
            "scale_tril": constraints.lower_cholesky,
            "df": constraints.greater_than(self.event_shape[-1] - 1),
        }

    def __init__(
        self,
        df: Any,
        covariance_matrix: Any = None,
        precision_matrix: Any = None,
        scale_tril: Any = None,
        validate_args: bool | None = None,
    ) -> None:
        forms = dict(zip(FORMS, (covariance_matrix, precision_matrix, scale_tril), strict=True))
        given = [(name, value) for name, value in forms.items() if value is not None]
        if len(given) != 1:
            raise AssertionError(
                "Exactly one of covariance_matrix or precision_matrix or scale_tril may be "
                "specified."
            )
        ((name, matrix),) = given
        if matrix.dim() < 2:
            raise ValueError(
                "scale_tril must be at least two-dimensional, with optional leading batch "
                "dimensions"
            )
        if isinstance(df, Number):
            batch_shape = Size(matrix.shape[:-2])
            self.df = tensor(float(df), dtype=matrix.dtype)  # type: ignore[arg-type]
        else:
            batch_shape = broadcast_shapes(matrix.shape[:-2], df.shape)
            self.df = df.expand(batch_shape)
        event_shape = matrix.shape[-2:]
        if self.df.le(event_shape[-1] - 1).any():
            raise ValueError(
                f"Value of df={df} expected to be greater than ndim - 1 = {event_shape[-1] - 1}."
            )
        setattr(self, name, matrix.expand((*batch_shape, -1, -1)))
        if self.df.lt(event_shape[-1]).any():
            warnings.warn(
                "Low df values detected. Singular samples are highly likely to occur for ndim - 1 "
                "< df < ndim.",
                stacklevel=2,
            )
        super().__init__(batch_shape, event_shape, validate_args=validate_args)
        if name == "scale_tril":
            self._unbroadcasted_scale_tril = matrix
        elif name == "covariance_matrix":
            self._unbroadcasted_scale_tril = linalg.cholesky(matrix)
        else:
            self._unbroadcasted_scale_tril = precision_to_factor(matrix)
        self._dist_chi2 = self._squares(self.df)

    def _squares(self, df: Tensor) -> Chi2:
        """The squares of the diagonal in Bartlett's decomposition."""
        steps = arange(self._event_shape[-1], dtype=df.dtype)
        return Chi2(df.unsqueeze(-1) - steps.expand((*self._batch_shape, -1)))

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """The same distribution with parameters expanded to a batch of this shape."""
        new = self._get_checked_instance(Wishart, _instance)
        batch_shape = Size(batch_shape)
        cov_shape = batch_shape + self.event_shape
        new._unbroadcasted_scale_tril = self._unbroadcasted_scale_tril.expand(cov_shape)
        new.df = self.df.expand(batch_shape)
        for name in FORMS:
            if name in self.__dict__:
                setattr(new, name, self.__dict__[name].expand(cov_shape))
        super().expand(batch_shape, new)
        new._dist_chi2 = new._squares(new.df)
        return new

    def _whole(self, matrix: Tensor) -> Tensor:
        return matrix.expand(self._batch_shape + self._event_shape)

    @lazy_property
    def scale_tril(self) -> Tensor:
        """The Cholesky factor of the covariance."""
        return self._whole(self._unbroadcasted_scale_tril)

    @lazy_property
    def covariance_matrix(self) -> Tensor:
        """The covariance of the vectors."""
        factor = self._unbroadcasted_scale_tril
        return self._whole(factor @ factor.mT)

    @lazy_property
    def precision_matrix(self) -> Tensor:
        """The inverse of the covariance."""
        return self._whole(cholesky_inverse(self._unbroadcasted_scale_tril))

    @property
    def mean(self) -> Tensor:
        """df times the covariance."""
        return self.df.view((*self._batch_shape, 1, 1)) * self.covariance_matrix

    @property
    def mode(self) -> Tensor:
        """The most likely matrix, NaN where there is none."""
        factor = self.df - self.covariance_matrix.shape[-1] - 1
        factor = factor.masked_fill(factor <= 0, math.nan)
        return factor.view((*self._batch_shape, 1, 1)) * self.covariance_matrix

    @property
    def variance(self) -> Tensor:
        """The variance of each element."""
        covariance = self.covariance_matrix
        diagonal = covariance.diagonal(dim1=-2, dim2=-1)
        products = diagonal.unsqueeze(-1) * diagonal.unsqueeze(-2)
        return self.df.view((*self._batch_shape, 1, 1)) * (covariance.pow(2) + products)

    def _bartlett_sampling(self, sample_shape: Any = Size(())) -> Tensor:  # noqa: B008
        """Draws by Bartlett's decomposition: a triangle of normal numbers below a diagonal."""
        p = self._event_shape[-1]
        tiny = finfo(self.df.dtype).tiny
        noise = self._dist_chi2.rsample(sample_shape).clamp(min=tiny).sqrt().diag_embed()
        rows, columns = tril_indices(p, p, offset=-1)
        count = p * (p - 1) // 2
        shape = (*sample_shape, *self._batch_shape, count)
        noise[..., rows, columns] = randn(shape, dtype=noise.dtype)
        factor = self._unbroadcasted_scale_tril @ noise
        return factor @ factor.mT

    def rsample(
        self,
        sample_shape: Any = Size(()),  # noqa: B008
        max_try_correction: int | None = None,
    ) -> Tensor:
        """Draws of this shape.

        PyTorch means to draw singular matrices again, up to `max_try_correction` times (3), but
        takes those for singular that are not: it warns and draws all of them twice. Programs get
        the same numbers here.
        """
        tries = 3 if max_try_correction is None else max_try_correction
        sample_shape = Size(sample_shape)
        sample = self._bartlett_sampling(sample_shape)
        again = self._any_in_batch(self.support.check(sample), sample_shape)
        if not again.any():
            return sample
        warnings.warn("Singular sample detected.", stacklevel=2)
        for _ in range(tries):
            other = self._bartlett_sampling(sample_shape)
            chosen = again.reshape((*again.shape, *(1,) * (sample.dim() - again.dim())))
            sample = where(chosen, other, sample)
            singular = self.support.check(other).logical_not()
            again = again & self._any_in_batch(singular, sample_shape)
            if not again.any():
                break
        return sample

    def _any_in_batch(self, condition: Tensor, sample_shape: Any) -> Tensor:
        if not self._batch_shape:
            return condition
        return condition.flatten(len(sample_shape)).any(-1)

    def log_prob(self, value: Tensor) -> Tensor:
        """The logarithm of the density at `value`."""
        if self._validate_args:
            self._validate_sample(value)
        nu, p = self.df, self._event_shape[-1]
        factor = self._unbroadcasted_scale_tril
        trace = cholesky_solve(value, factor).diagonal(dim1=-2, dim2=-1).sum(dim=-1)
        return (
            -nu * (p * math.log(2) / 2 + log_diagonal(factor))
            - mvlgamma(nu / 2, p=p)
            + (nu - p - 1) / 2 * linalg.slogdet(value).logabsdet
            - trace / 2
        )

    def entropy(self) -> Tensor:
        """The entropy, in nats."""
        nu, p = self.df, self._event_shape[-1]
        return (
            (p + 1) * (p * math.log(2) / 2 + log_diagonal(self._unbroadcasted_scale_tril))
            + mvlgamma(nu / 2, p=p)
            - (nu - p - 1) / 2 * mvdigamma(nu / 2, p=p)
            + nu * p / 2
        )

    @property
    def _natural_params(self) -> tuple[Tensor, Tensor]:
        return -self.precision_matrix / 2, (self.df - self._event_shape[-1] - 1) / 2

    def _log_normalizer(self, x: Tensor, y: Tensor) -> Tensor:
        p = self._event_shape[-1]
        half = y + (p + 1) / 2
        return half * (-linalg.slogdet(-2 * x).logabsdet + p * math.log(2)) + mvlgamma(half, p=p)
