"""The distribution of correlation matrices of Lewandowski, Kurowicka and Joe."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from seegrad.arrays.limits import finfo
from seegrad.arrays.size import Size
from seegrad.autograd.grad_mode import no_grad
from seegrad.distributions import constraints
from seegrad.distributions.beta import Beta
from seegrad.distributions.distribution import Distribution
from seegrad.distributions.utils import broadcast_all
from seegrad.functions import mvlgamma
from seegrad.ops import cat, lgamma
from seegrad.tensor.creation import arange
from seegrad.tensor.sampling import randn

__all__ = ["LKJCholesky"]

Tensor = Any


class LKJCholesky(Distribution):
    """Cholesky factors L of correlation matrices, dim x dim, with density det(L L^T)^(c - 1).

    Drawn row by row as in the onion method: a direction, and how long it is.
    """

    arg_constraints: ClassVar = {"concentration": constraints.positive}
    support: Any = constraints.corr_cholesky

    def __init__(
        self, dim: int, concentration: Any = 1.0, validate_args: bool | None = None
    ) -> None:
        if dim < 2:
            raise ValueError(
                f"Expected dim to be an integer greater than or equal to 2. Found dim={dim}."
            )
        self.dim = dim
        (self.concentration,) = broadcast_all(concentration)
        batch_shape = self.concentration.size()
        marginal = self.concentration + 0.5 * (self.dim - 2)
        offset = arange(self.dim - 1, dtype=self.concentration.dtype)
        offset = cat([offset.new_zeros((1,)), offset])
        self._beta = Beta(offset + 0.5, marginal.unsqueeze(-1) - 0.5 * offset)
        super().__init__(batch_shape, Size((dim, dim)), validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """The same distribution with parameters expanded to a batch of this shape."""
        new = self._get_checked_instance(LKJCholesky, _instance)
        batch_shape = Size(batch_shape)
        new.dim = self.dim
        new.concentration = self.concentration.expand(batch_shape)
        new._beta = self._beta.expand(Size((*batch_shape, self.dim)))
        return super().expand(batch_shape, new)

    def sample(self, sample_shape: Any = Size(())) -> Tensor:  # noqa: B008
        """Draws of this shape."""
        with no_grad():
            length = self._beta.sample(sample_shape).unsqueeze(-1)
            noise = randn(self._extended_shape(sample_shape), dtype=length.dtype).tril(-1)
            direction = noise / noise.norm(dim=-1, keepdim=True)
            direction[..., 0, :].fill_(0.0)
            rows = length.sqrt() * direction
            tiny = finfo(rows.dtype).tiny
            rest = (1 - rows.pow(2).sum(-1)).clamp(min=tiny).sqrt()
            return rows + rest.diag_embed()

    def log_prob(self, value: Tensor) -> Tensor:
        """The logarithm of the density at `value`."""
        if self._validate_args:
            self._validate_sample(value)
        diagonal = value.diagonal(dim1=-1, dim2=-2)[..., 1:]
        order = arange(2, self.dim + 1)
        order = 2 * (self.concentration - 1).unsqueeze(-1) + self.dim - order
        density = (order * diagonal.log()).sum(-1)
        n = self.dim - 1
        alpha = self.concentration + 0.5 * n
        denominator = lgamma(alpha) * n
        numerator = mvlgamma(alpha - 0.5, n)
        return density - (0.5 * n * math.log(math.pi) + numerator - denominator)
