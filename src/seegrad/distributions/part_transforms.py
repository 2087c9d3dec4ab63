"""A transform for each part of a tensor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from seegrad.distributions import constraints
from seegrad.distributions.transform import Transform
from seegrad.distributions.utils import sum_rightmost
from seegrad.ops import cat, stack

__all__ = ["CatTransform", "StackTransform"]

Tensor = Any


class _Parts(Transform):
    """Transforms for the parts of a tensor along `dim`."""

    transforms: list[Any]
    dim: int

    @property
    def bijective(self) -> Any:
        """Whether all parts are."""
        return all(part.bijective for part in self.transforms)


class CatTransform(_Parts):
    """A transform for each piece of a tensor, of `lengths` (1 each), along `dim`."""

    def __init__(
        self,
        tseq: Sequence[Any],
        dim: int = 0,
        lengths: Sequence[int] | None = None,
        cache_size: int = 0,
    ) -> None:
        if cache_size:
            tseq = [one.with_cache(cache_size) for one in tseq]
        super().__init__(cache_size=cache_size)
        self.transforms = list(tseq)
        self.lengths = [1] * len(self.transforms) if lengths is None else list(lengths)
        self.dim = dim

    @property
    def event_dim(self) -> Any:
        """The most that a part has."""
        return max(one.event_dim for one in self.transforms)

    @property
    def length(self) -> int:
        """The size along `dim`."""
        return sum(self.lengths)

    def with_cache(self, cache_size: int = 1) -> Any:
        """The same transforms with caches of this size."""
        if self._cache_size == cache_size:
            return self
        return CatTransform(self.transforms, self.dim, self.lengths, cache_size)

    def _pieces(self, value: Tensor) -> list[Tensor]:
        starts = [sum(self.lengths[:at]) for at in range(len(self.lengths))]
        spans = zip(starts, self.lengths, strict=True)
        return [value.narrow(self.dim, start, length) for start, length in spans]

    def _call(self, x: Tensor) -> Tensor:
        pairs = zip(self.transforms, self._pieces(x), strict=True)
        return cat([one(piece) for one, piece in pairs], dim=self.dim)

    def _inverse(self, y: Tensor) -> Tensor:
        pairs = zip(self.transforms, self._pieces(y), strict=True)
        return cat([one.inv(piece) for one, piece in pairs], dim=self.dim)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        """Those of the pieces: one after the other, or their sum where `dim` is in an event."""
        sizes = []
        for one, before, after in zip(
            self.transforms, self._pieces(x), self._pieces(y), strict=True
        ):
            size = one.log_abs_det_jacobian(before, after)
            sizes.append(sum_rightmost(size, self.event_dim - one.event_dim))
        dim = self.dim - x.dim() if self.dim >= 0 else self.dim
        dim += self.event_dim
        return cat(sizes, dim=dim) if dim < 0 else sum(sizes)

    @constraints.dependent_property
    def domain(self) -> Any:
        """Those of the parts."""
        return constraints.cat([t.domain for t in self.transforms], self.dim, self.lengths)

    @constraints.dependent_property
    def codomain(self) -> Any:
        """Those of the parts."""
        return constraints.cat([t.codomain for t in self.transforms], self.dim, self.lengths)


class StackTransform(_Parts):
    """A transform for each slice of a tensor along `dim`."""

    def __init__(self, tseq: Sequence[Any], dim: int = 0, cache_size: int = 0) -> None:
        if cache_size:
            tseq = [one.with_cache(cache_size) for one in tseq]
        super().__init__(cache_size=cache_size)
        self.transforms = list(tseq)
        self.dim = dim

    def with_cache(self, cache_size: int = 1) -> Any:
        """The same transforms with caches of this size."""
        if self._cache_size == cache_size:
            return self
        return StackTransform(self.transforms, self.dim, cache_size)

    def _call(self, x: Tensor) -> Tensor:
        slices = x.unbind(self.dim)
        pairs = zip(self.transforms, slices, strict=True)
        return stack([one(piece) for one, piece in pairs], dim=self.dim)

    def _inverse(self, y: Tensor) -> Tensor:
        slices = y.unbind(self.dim)
        pairs = zip(self.transforms, slices, strict=True)
        return stack([one.inv(piece) for one, piece in pairs], dim=self.dim)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        """Those of the slices, stacked."""
        triples = zip(self.transforms, x.unbind(self.dim), y.unbind(self.dim), strict=True)
        sizes = [one.log_abs_det_jacobian(before, after) for one, before, after in triples]
        return stack(sizes, dim=self.dim)

    @constraints.dependent_property
    def domain(self) -> Any:
        """Those of the parts."""
        return constraints.stack([one.domain for one in self.transforms], self.dim)

    @constraints.dependent_property
    def codomain(self) -> Any:
        """Those of the parts."""
        return constraints.stack([one.codomain for one in self.transforms], self.dim)
