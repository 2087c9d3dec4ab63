"""The normal distribution of vectors whose covariance is of low rank but for its diagonal."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from seegrad import linalg
from seegrad.arrays.size import Size
from seegrad.distributions import constraints
from seegrad.distributions.distribution import Distribution
from seegrad.distributions.multivariate_normal import (
    log_diagonal,
    mahalanobis,
    matrix_times_vector,
)
from seegrad.distributions.utils import lazy_property, standard_normal
from seegrad.ops import broadcast_shapes
from seegrad.tensor.creation import eye

__all__ = ["LowRankMultivariateNormal"]

Tensor = Any


def capacitance_factor(factor: Tensor, diagonal: Tensor) -> Tensor:
    """The Cholesky factor of 1 + W^T D^-1 W, which is as small as W is narrow."""
    scaled = factor.mT / diagonal.unsqueeze(-2)
    return linalg.cholesky(eye(factor.shape[-1]).to(factor) + scaled @ factor)


def low_rank_log_det(diagonal: Tensor, capacitance: Tensor) -> Tensor:
    """log det(W W^T + D) by the determinant lemma."""
    return 2 * log_diagonal(capacitance) + diagonal.log().sum(-1)


def low_rank_mahalanobis(
    factor: Tensor, diagonal: Tensor, offset: Tensor, capacitance: Tensor
) -> Tensor:
    """The squares of offsets measured by W W^T + D, by the formula of Woodbury."""
    scaled = factor.mT / diagonal.unsqueeze(-2)
    outside = (offset.pow(2) / diagonal).sum(-1)
    return outside - mahalanobis(capacitance, matrix_times_vector(scaled, offset))


class LowRankMultivariateNormal(Distribution):
    """Normal vectors of covariance W W^T + D: `cov_factor` (..., n, m), `cov_diag` (..., n)."""

    arg_constraints: ClassVar = {
        "loc": constraints.real_vector,
        "cov_factor": constraints.independent(constraints.real, 2),
        "cov_diag": constraints.independent(constraints.positive, 1),
    }
    support: Any = constraints.real_vector
    has_rsample = True

    def __init__(
        self,
        loc: Tensor,
        cov_factor: Tensor,
        cov_diag: Tensor,
        validate_args: bool | None = None,
    ) -> None:
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        event_shape = loc.shape[-1:]
        if cov_factor.dim() < 2:
            raise ValueError(
                "cov_factor must be at least two-dimensional, with optional leading batch "
                "dimensions"
            )
        if cov_factor.shape[-2:-1] != event_shape:
            raise ValueError(
                f"cov_factor must be a batch of matrices with shape {event_shape[0]} x m"
            )
        if cov_diag.shape[-1:] != event_shape:
            raise ValueError(f"cov_diag must be a batch of vectors with shape {event_shape}")
        try:
            batch = broadcast_shapes(loc.shape[:-1], cov_factor.shape[:-2], cov_diag.shape[:-1])
        except RuntimeError as error:
            raise ValueError(
                f"Incompatible batch shapes: loc {loc.shape}, cov_factor {cov_factor.shape}, "
                f"cov_diag {cov_diag.shape}"
            ) from error
        self.loc = loc.expand((*batch, -1))
        self.cov_factor = cov_factor.expand((*batch, -1, -1))
        self.cov_diag = cov_diag.expand((*batch, -1))
        super().__init__(batch, event_shape, validate_args=validate_args)
        self._unbroadcasted_cov_factor = cov_factor
        self._unbroadcasted_cov_diag = cov_diag
        self._capacitance_tril = capacitance_factor(cov_factor, cov_diag)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """The same distribution with parameters expanded to a batch of this shape."""
        new = self._get_checked_instance(LowRankMultivariateNormal, _instance)
        batch_shape = Size(batch_shape)
        new.loc = self.loc.expand(batch_shape + self.event_shape)
        new.cov_diag = self.cov_diag.expand(batch_shape + self.event_shape)
        new.cov_factor = self.cov_factor.expand(batch_shape + self.cov_factor.shape[-2:])
        for name in ("_unbroadcasted_cov_factor", "_unbroadcasted_cov_diag", "_capacitance_tril"):
            setattr(new, name, getattr(self, name))
        return super().expand(batch_shape, new)

    @property
    def mean(self) -> Tensor:
        """`loc`."""
        return self.loc

    @property
    def mode(self) -> Tensor:
        """`loc`."""
        return self.loc

    @lazy_property
    def variance(self) -> Tensor:
        """The variance of each element."""
        squares = self._unbroadcasted_cov_factor.pow(2).sum(-1) + self._unbroadcasted_cov_diag
        return squares.expand(self._batch_shape + self._event_shape)

    def _whole(self, matrix: Tensor) -> Tensor:
        return matrix.expand(self._batch_shape + self._event_shape + self._event_shape)

    def _covariance(self) -> Tensor:
        factor = self._unbroadcasted_cov_factor
        return factor @ factor.mT + self._unbroadcasted_cov_diag.diag_embed()

    @lazy_property
    def scale_tril(self) -> Tensor:
        """The Cholesky factor of the covariance."""
        return self._whole(linalg.cholesky(self._covariance()))

    @lazy_property
    def covariance_matrix(self) -> Tensor:
        """The covariance."""
        return self._whole(self._covariance())

    @lazy_property
    def precision_matrix(self) -> Tensor:
        """The inverse of the covariance, by the formula of Woodbury."""
        diagonal = self._unbroadcasted_cov_diag
        scaled = self._unbroadcasted_cov_factor.mT / diagonal.unsqueeze(-2)
        inner = linalg.solve_triangular(self._capacitance_tril, scaled, upper=False)
        return self._whole(diagonal.reciprocal().diag_embed() - inner.mT @ inner)

    def rsample(self, sample_shape: Any = Size(())) -> Tensor:  # noqa: B008
        """Draws of this shape, loc + W @ noise + sqrt(D) * noise."""
        shape = self._extended_shape(sample_shape)
        width = self.cov_factor.shape[-1:]
        inner = standard_normal(shape[:-1] + width, self.loc)
        own = standard_normal(shape, self.loc)
        shared = matrix_times_vector(self._unbroadcasted_cov_factor, inner)
        return self.loc + shared + self._unbroadcasted_cov_diag.sqrt() * own

    def log_prob(self, value: Tensor) -> Tensor:
        """The logarithm of the density at `value`."""
        if self._validate_args:
            self._validate_sample(value)
        diagonal, capacitance = self._unbroadcasted_cov_diag, self._capacitance_tril
        square = low_rank_mahalanobis(
            self._unbroadcasted_cov_factor, diagonal, value - self.loc, capacitance
        )
        constant = self._event_shape[0] * math.log(2 * math.pi)
        return -0.5 * (constant + low_rank_log_det(diagonal, capacitance) + square)

    def entropy(self) -> Tensor:
        """The entropy, in nats."""
        log_det = low_rank_log_det(self._unbroadcasted_cov_diag, self._capacitance_tril)
        entropy = 0.5 * (self._event_shape[0] * (1.0 + math.log(2 * math.pi)) + log_det)
        return entropy if not self._batch_shape else entropy.expand(self._batch_shape)
