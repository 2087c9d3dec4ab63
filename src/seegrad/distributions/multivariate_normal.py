"""The normal distribution of vectors."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from seegrad import linalg
from seegrad.arrays.size import Size
from seegrad.distributions import constraints
from seegrad.distributions.distribution import Distribution
from seegrad.distributions.utils import lazy_property, standard_normal
from seegrad.ops import broadcast_shapes, cholesky_inverse
from seegrad.tensor.creation import eye

__all__ = ["MultivariateNormal"]

Tensor = Any
FORMS = ("covariance_matrix", "precision_matrix", "scale_tril")


def matrix_times_vector(matrix: Tensor, vector: Tensor) -> Tensor:
    """The products of a batch of matrices and vectors."""
    return (matrix @ vector.unsqueeze(-1)).squeeze(-1)


def mahalanobis(factor: Tensor, offset: Tensor) -> Tensor:
    """The squares of offsets (..., n) measured by covariances factor @ factor.T, (..., n, n)."""
    scaled = linalg.solve_triangular(factor, offset.unsqueeze(-1), upper=False).squeeze(-1)
    return scaled.pow(2).sum(-1)


def precision_to_factor(precision: Tensor) -> Tensor:
    """The Cholesky factor of the inverse of a matrix.

    The inverse of the factor of the matrix with rows and columns in reverse order, turned around.
    """
    turned = linalg.cholesky(precision.flip((-2, -1)))
    inverse = turned.flip((-2, -1)).mT
    return linalg.solve_triangular(inverse, eye(precision.shape[-1]).to(precision), upper=False)


def log_diagonal(factor: Tensor) -> Tensor:
    """The logarithm of the determinant of triangular matrices."""
    return factor.diagonal(dim1=-2, dim2=-1).log().sum(-1)


class MultivariateNormal(Distribution):
    """Normal vectors with means `loc`, (..., n), and one of three forms of their covariance.

    `covariance_matrix`, its inverse `precision_matrix`, or its Cholesky factor `scale_tril`, each
    (..., n, n).

    >>> import seegrad as torch
    >>> one = torch.distributions.MultivariateNormal(torch.zeros(2), torch.eye(2))
    >>> one.log_prob(torch.zeros(2))
    tensor(-1.8379)
    """

    arg_constraints: ClassVar = {
        "loc": constraints.real_vector,
        "covariance_matrix": constraints.positive_definite,
        "precision_matrix": constraints.positive_definite,
        "scale_tril": constraints.lower_cholesky,
    }
    support: Any = constraints.real_vector
    has_rsample = True

    def __init__(
        self,
        loc: Tensor,
        covariance_matrix: Any = None,
        precision_matrix: Any = None,
        scale_tril: Any = None,
        validate_args: bool | None = None,
    ) -> None:
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        forms = dict(zip(FORMS, (covariance_matrix, precision_matrix, scale_tril), strict=True))
        given = [(name, value) for name, value in forms.items() if value is not None]
        if len(given) != 1:
            raise ValueError(
                "Exactly one of covariance_matrix or precision_matrix or scale_tril may be "
                "specified."
            )
        ((name, matrix),) = given
        if matrix.dim() < 2:
            raise ValueError(
                f"{name} {'matrix ' if name == 'scale_tril' else ''}must be at least "
                "two-dimensional, with optional leading batch dimensions"
            )
        batch_shape = broadcast_shapes(matrix.shape[:-2], loc.shape[:-1])
        setattr(self, name, matrix.expand((*batch_shape, -1, -1)))
        self.loc = loc.expand((*batch_shape, -1))
        super().__init__(batch_shape, self.loc.shape[-1:], validate_args=validate_args)
        if name == "scale_tril":
            self._unbroadcasted_scale_tril = matrix
        elif name == "covariance_matrix":
            self._unbroadcasted_scale_tril = linalg.cholesky(matrix)
        else:
            self._unbroadcasted_scale_tril = precision_to_factor(matrix)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """The same distribution with parameters expanded to a batch of this shape."""
        new = self._get_checked_instance(MultivariateNormal, _instance)
        batch_shape = Size(batch_shape)
        event = self.event_shape
        new.loc = self.loc.expand(batch_shape + event)
        new._unbroadcasted_scale_tril = self._unbroadcasted_scale_tril
        for name in FORMS:
            if name in self.__dict__:
                setattr(new, name, self.__dict__[name].expand(batch_shape + event + event))
        return super().expand(batch_shape, new)

    def _whole(self, matrix: Tensor) -> Tensor:
        return matrix.expand(self._batch_shape + self._event_shape + self._event_shape)

    @lazy_property
    def scale_tril(self) -> Tensor:
        """The Cholesky factor of the covariance."""
        return self._whole(self._unbroadcasted_scale_tril)

    @lazy_property
    def covariance_matrix(self) -> Tensor:
        """The covariance."""
        factor = self._unbroadcasted_scale_tril
        return self._whole(factor @ factor.mT)

    @lazy_property
    def precision_matrix(self) -> Tensor:
        """The inverse of the covariance."""
        return self._whole(cholesky_inverse(self._unbroadcasted_scale_tril))

    @property
    def mean(self) -> Tensor:
        """`loc`."""
        return self.loc

    @property
    def mode(self) -> Tensor:
        """`loc`."""
        return self.loc

    @property
    def variance(self) -> Tensor:
        """The variance of each element."""
        squares = self._unbroadcasted_scale_tril.pow(2).sum(-1)
        return squares.expand(self._batch_shape + self._event_shape)

    def rsample(self, sample_shape: Any = Size(())) -> Tensor:  # noqa: B008
        """Draws of this shape, loc + scale_tril @ noise."""
        noise = standard_normal(self._extended_shape(sample_shape), self.loc)
        return self.loc + matrix_times_vector(self._unbroadcasted_scale_tril, noise)

    def log_prob(self, value: Tensor) -> Tensor:
        """The logarithm of the density at `value`."""
        if self._validate_args:
            self._validate_sample(value)
        factor = self._unbroadcasted_scale_tril
        square = mahalanobis(factor, value - self.loc)
        constant = self._event_shape[0] * math.log(2 * math.pi)
        return -0.5 * (constant + square) - log_diagonal(factor)

    def entropy(self) -> Tensor:
        """The entropy, in nats."""
        constant = 0.5 * self._event_shape[0] * (1.0 + math.log(2 * math.pi))
        entropy = constant + log_diagonal(self._unbroadcasted_scale_tril)
        return entropy if not self._batch_shape else entropy.expand(self._batch_shape)
