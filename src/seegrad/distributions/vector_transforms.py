"""Transforms of vectors and matrices."""

from __future__ import annotations

import math
from typing import Any

from seegrad import linalg
from seegrad.arrays.limits import finfo
from seegrad.distributions import constraints
from seegrad.distributions.number_transforms import clamped
from seegrad.distributions.transform import Same, Transform
from seegrad.distributions.utils import tril_matrix_to_vec, vec_to_tril_matrix
from seegrad.nn.functional import pad, softplus
from seegrad.ops import cumsum, sigmoid, tanh
from seegrad.tensor.creation import arange, eye

__all__ = [
    "CorrCholeskyTransform",
    "LowerCholeskyTransform",
    "PositiveDefiniteTransform",
    "SoftmaxTransform",
    "StickBreakingTransform",
]

Tensor = Any


class CorrCholeskyTransform(Transform):
    """Vectors of n (n - 1) / 2 numbers to Cholesky factors of correlation matrices, n x n.

    Row by row, tanh of the numbers break what is left of the row's length 1 (Lewandowski,
    Kurowicka, Joe, 2009, as Stan does).
    """

    domain = constraints.real_vector
    codomain = constraints.corr_cholesky
    bijective = True

    def _call(self, x: Tensor) -> Tensor:
        x = tanh(x)
        eps = finfo(x.dtype).eps
        r = vec_to_tril_matrix(x.clamp(min=-1 + eps, max=1 - eps), diag=-1)
        left = (1 - r**2).sqrt().cumprod(-1)
        r = r + eye(r.shape[-1], dtype=r.dtype)
        return r * pad(left[..., :-1], [1, 0], value=1)

    def _inverse(self, y: Tensor) -> Tensor:
        left = 1 - cumsum(y * y, dim=-1)
        shifted = pad(left[..., :-1], [1, 0], value=1)
        share = tril_matrix_to_vec(y, diag=-1)
        root = tril_matrix_to_vec(shifted, diag=-1).sqrt()
        t = share / root
        return (t.log1p() - t.neg().log1p()) / 2

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        """Of tanh, and of what each share is a share of."""
        left = 1 - (y * y).cumsum(dim=-1)
        roots = 0.5 * tril_matrix_to_vec(left, diag=-2).log().sum(-1)
        return roots - 2 * (x + softplus(-2 * x) - math.log(2.0)).sum(dim=-1)

    def forward_shape(self, shape: Any) -> Any:
        """The shape of the value of a tensor of this shape."""
        if len(shape) < 1:
            raise ValueError("Too few dimensions on input")
        count = shape[-1]
        n = round((0.25 + 2 * count) ** 0.5 + 0.5)
        if n * (n - 1) // 2 != count:
            raise ValueError("Input is not a flattened lower-diagonal number")
        return type(shape)((*shape[:-1], n, n))

    def inverse_shape(self, shape: Any) -> Any:
        """The shape of what has a value of this shape."""
        if len(shape) < 2:
            raise ValueError("Too few dimensions on input")
        if shape[-2] != shape[-1]:
            raise ValueError("Input is not square")
        n = shape[-1]
        return type(shape)((*shape[:-2], n * (n - 1) // 2))


class SoftmaxTransform(Same):
    """Vectors to shares, as exp(x) divided by its sum; not one to one."""

    domain = constraints.real_vector
    codomain = constraints.simplex

    def _call(self, x: Tensor) -> Tensor:
        largest = x.max(-1, True)[0]
        powers = (x - largest).exp()
        return powers / powers.sum(-1, True)

    def _inverse(self, y: Tensor) -> Tensor:
        return y.log()

    def forward_shape(self, shape: Any) -> Any:
        """The same shape, which has a dimension."""
        return _vectors(shape)

    inverse_shape = forward_shape


def _vectors(shape: Any) -> Any:
    if len(shape) < 1:
        raise ValueError("Too few dimensions on input")
    return shape


class StickBreakingTransform(Same):
    """Vectors of n numbers to n + 1 shares: each number says how much of the rest is broken off.

    With all numbers 0 all shares are equal.
    """

    domain = constraints.real_vector
    codomain = constraints.simplex
    bijective = True

    def _call(self, x: Tensor) -> Tensor:
        z = clamped(sigmoid(x - _offset(x).log()))
        left = (1 - z).cumprod(-1)
        return pad(z, [0, 1], value=1) * pad(left, [1, 0], value=1)

    def _inverse(self, y: Tensor) -> Tensor:
        cropped = y[..., :-1]
        left = (1 - cropped.cumsum(-1)).clamp(min=finfo(y.dtype).tiny)
        return cropped.log() - left.log() + _offset(cropped).log()

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        """The sum of the logarithms of what each number moves."""
        x = x - _offset(x).log()
        return (-x - softplus(-x) + y[..., :-1].log()).sum(-1)

    def forward_shape(self, shape: Any) -> Any:
        """One share more than numbers."""
        shape = _vectors(shape)
        return type(shape)((*shape[:-1], shape[-1] + 1))

    def inverse_shape(self, shape: Any) -> Any:
        """One number less than shares."""
        shape = _vectors(shape)
        return type(shape)((*shape[:-1], shape[-1] - 1))


def _offset(x: Tensor) -> Tensor:
    """How many shares are left where each number breaks: n, ..., 1 for n numbers."""
    return arange(x.shape[-1], 0, -1).to(x)


class LowerCholeskyTransform(Same):
    """Matrices to lower triangular ones, with exp of the diagonal."""

    domain = constraints.independent(constraints.real, 2)
    codomain = constraints.lower_cholesky

    def _call(self, x: Tensor) -> Tensor:
        return x.tril(-1) + x.diagonal(dim1=-2, dim2=-1).exp().diag_embed()

    def _inverse(self, y: Tensor) -> Tensor:
        return y.tril(-1) + y.diagonal(dim1=-2, dim2=-1).log().diag_embed()


class PositiveDefiniteTransform(Same):
    """Matrices to positive definite ones: the square of what LowerCholeskyTransform gives."""

    domain = constraints.independent(constraints.real, 2)
    codomain = constraints.positive_definite

    def _call(self, x: Tensor) -> Tensor:
        factor = LowerCholeskyTransform()(x)
        return factor @ factor.mT

    def _inverse(self, y: Tensor) -> Tensor:
        return LowerCholeskyTransform().inv(linalg.cholesky(y))
