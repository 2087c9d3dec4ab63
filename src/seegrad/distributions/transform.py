"""Transforms that know their inverse and the size of their Jacobian, and chains of them."""

from __future__ import annotations

import math
import weakref
from typing import Any

from seegrad.arrays.size import Size
from seegrad.distributions import constraints
from seegrad.distributions.utils import sum_rightmost
from seegrad.tensor.creation import zeros_like

__all__ = [
    "ComposeTransform",
    "IndependentTransform",
    "ReshapeTransform",
    "Same",
    "Transform",
    "identity_transform",
]

Tensor = Any


class Transform:
    """A differentiable map from `domain` to `codomain`, which may have an inverse.

    A derived class gives `_call`, and `_inverse` and `log_abs_det_jacobian` where it has them.
    With `cache_size=1` the last pair of values is remembered, so that going back is exact.

    >>> import seegrad as torch
    >>> transform = torch.distributions.ExpTransform()
    >>> transform.inv(transform(torch.tensor(2.0)))
    tensor(2.)
    """

    bijective: Any = False
    domain: Any
    codomain: Any

    def __init__(self, cache_size: int = 0) -> None:
        self._cache_size = cache_size
        self._inv: Any = None
        if cache_size not in (0, 1):
            raise ValueError("cache_size must be 0 or 1")
        self._cached: tuple[Any, Any] = (None, None)
        super().__init__()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_inv": None}

    @property
    def event_dim(self) -> Any:
        """The dimensions of an event, where both sides have as many."""
        if self.domain.event_dim == self.codomain.event_dim:
            return self.domain.event_dim
        raise ValueError("Please use either .domain.event_dim or .codomain.event_dim")

    @property
    def inv(self) -> Any:
        """The inverse, whose inverse is the transform itself."""
        inverse = None if self._inv is None else self._inv()
        if inverse is None:
            inverse = _InverseTransform(self)
            self._inv = weakref.ref(inverse)
        return inverse

    @property
    def sign(self) -> Any:
        """1 where the map rises, -1 where it falls."""
        raise NotImplementedError

    def with_cache(self, cache_size: int = 1) -> Any:
        """The same transform with a cache of this size."""
        if self._cache_size == cache_size:
            return self
        if type(self).__init__ is Transform.__init__:
            return type(self)(cache_size=cache_size)
        raise NotImplementedError(f"{type(self)}.with_cache is not implemented")

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return not self.__eq__(other)

    __hash__ = object.__hash__

    def __call__(self, x: Tensor) -> Tensor:
        """The value of the map."""
        if self._cache_size == 0:
            return self._call(x)
        before, after = self._cached
        if x is before:
            return after
        y = self._call(x)
        self._cached = x, y
        return y

    def _inv_call(self, y: Tensor) -> Tensor:
        if self._cache_size == 0:
            return self._inverse(y)
        before, after = self._cached
        if y is after:
            return before
        x = self._inverse(y)
        self._cached = x, y
        return x

    def _call(self, x: Tensor) -> Tensor:
        raise NotImplementedError

    def _inverse(self, y: Tensor) -> Tensor:
        raise NotImplementedError

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        """The logarithm of the size of the Jacobian at x, where the value is y."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return self.__class__.__name__ + "()"

    def forward_shape(self, shape: Any) -> Any:
        """The shape of the value of a tensor of this shape."""
        return shape

    def inverse_shape(self, shape: Any) -> Any:
        """The shape of what has a value of this shape."""
        return shape


class _InverseTransform(Transform):
    """The inverse of a transform."""

    def __init__(self, transform: Transform) -> None:
        super().__init__(cache_size=transform._cache_size)
        self._inv: Any = transform

    @constraints.dependent_property(is_discrete=False)
    def domain(self) -> Any:
        """Where the transform leads."""
        return self._inv.codomain

    @constraints.dependent_property(is_discrete=False)
    def codomain(self) -> Any:
        """Where the transform starts."""
        return self._inv.domain

    @property
    def bijective(self) -> Any:
        """As the transform."""
        return self._inv.bijective

    @property
    def sign(self) -> Any:
        """As the transform."""
        return self._inv.sign

    @property
    def inv(self) -> Any:
        """The transform."""
        return self._inv

    def with_cache(self, cache_size: int = 1) -> Any:
        """The inverse of the transform with a cache of this size."""
        return self.inv.with_cache(cache_size).inv

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _InverseTransform) and self._inv == other._inv

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"{self.__class__.__name__}({self._inv!r})"

    def __call__(self, x: Tensor) -> Tensor:
        """What has the value x."""
        return self._inv._inv_call(x)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        """Minus that of the transform."""
        return -self._inv.log_abs_det_jacobian(y, x)

    def forward_shape(self, shape: Any) -> Any:
        """The shape of what has a value of this shape."""
        return self._inv.inverse_shape(shape)

    def inverse_shape(self, shape: Any) -> Any:
        """The shape of the value of a tensor of this shape."""
        return self._inv.forward_shape(shape)


class ComposeTransform(Transform):
    """Transforms one after the other."""

    def __init__(self, parts: list[Any], cache_size: int = 0) -> None:
        if cache_size:
            parts = [part.with_cache(cache_size) for part in parts]
        super().__init__(cache_size=cache_size)
        self.parts = parts

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ComposeTransform) and self.parts == other.parts

    __hash__ = object.__hash__

    @constraints.dependent_property(is_discrete=False)
    def domain(self) -> Any:
        """Where the first part starts."""
        if not self.parts:
            return constraints.real
        first = self.parts[0].domain
        dims = self.parts[-1].codomain.event_dim
        for part in reversed(self.parts):
            step = part.domain.event_dim - part.codomain.event_dim
            dims = max(dims + step, part.domain.event_dim)
        missing = dims - first.event_dim
        return constraints.independent(first, missing) if missing > 0 else first

    @constraints.dependent_property(is_discrete=False)
    def codomain(self) -> Any:
        """Where the last part leads."""
        if not self.parts:
            return constraints.real
        last = self.parts[-1].codomain
        dims = self.parts[0].domain.event_dim
        for part in self.parts:
            step = part.codomain.event_dim - part.domain.event_dim
            dims = max(dims + step, part.codomain.event_dim)
        missing = dims - last.event_dim
        return constraints.independent(last, missing) if missing > 0 else last

    @property
    def bijective(self) -> Any:
        """Whether all parts are."""
        return all(part.bijective for part in self.parts)

    @property
    def sign(self) -> Any:
        """The product of those of the parts."""
        product: Any = 1
        for part in self.parts:
            product = product * part.sign
        return product

    @property
    def inv(self) -> Any:
        """The inverses of the parts, the last one first."""
        inverse = None if self._inv is None else self._inv()
        if inverse is None:
            inverse = ComposeTransform([part.inv for part in reversed(self.parts)])
            self._inv = weakref.ref(inverse)
            inverse._inv = weakref.ref(self)
        return inverse

    def with_cache(self, cache_size: int = 1) -> Any:
        """The same transforms with caches of this size."""
        if self._cache_size == cache_size:
            return self
        return ComposeTransform(self.parts, cache_size=cache_size)

    def __call__(self, x: Tensor) -> Tensor:
        """The value of the last part."""
        for part in self.parts:
            x = part(x)
        return x

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        """The sum of those of the parts."""
        if not self.parts:
            return zeros_like(x)
        values = [x]
        for part in self.parts[:-1]:
            values.append(part(values[-1]))
        values.append(y)
        dims, total = self.domain.event_dim, 0
        for part, before, after in zip(self.parts, values[:-1], values[1:], strict=True):
            size = part.log_abs_det_jacobian(before, after)
            total = total + sum_rightmost(size, dims - part.domain.event_dim)
            dims += part.codomain.event_dim - part.domain.event_dim
        return total

    def forward_shape(self, shape: Any) -> Any:
        """The shape of the value of a tensor of this shape."""
        for part in self.parts:
            shape = part.forward_shape(shape)
        return shape

    def inverse_shape(self, shape: Any) -> Any:
        """The shape of what has a value of this shape."""
        for part in reversed(self.parts):
            shape = part.inverse_shape(shape)
        return shape

    def __repr__(self) -> str:
        inner = ",\n    ".join(repr(part) for part in self.parts)
        return f"{self.__class__.__name__}(\n    {inner}\n)"


identity_transform = ComposeTransform([])


class IndependentTransform(Transform):
    """A transform whose last batch dimensions are made dimensions of the event."""

    def __init__(
        self, base_transform: Any, reinterpreted_batch_ndims: int, cache_size: int = 0
    ) -> None:
        super().__init__(cache_size=cache_size)
        self.base_transform = base_transform.with_cache(cache_size)
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims

    def with_cache(self, cache_size: int = 1) -> Any:
        """The same transform with a cache of this size."""
        if self._cache_size == cache_size:
            return self
        dims = self.reinterpreted_batch_ndims
        return IndependentTransform(self.base_transform, dims, cache_size=cache_size)

    @constraints.dependent_property(is_discrete=False)
    def domain(self) -> Any:
        """That of the transform, for all numbers of an event."""
        return constraints.independent(self.base_transform.domain, self.reinterpreted_batch_ndims)

    @constraints.dependent_property(is_discrete=False)
    def codomain(self) -> Any:
        """That of the transform, for all numbers of an event."""
        base = self.base_transform.codomain
        return constraints.independent(base, self.reinterpreted_batch_ndims)

    @property
    def bijective(self) -> Any:
        """As the transform."""
        return self.base_transform.bijective

    @property
    def sign(self) -> Any:
        """As the transform."""
        return self.base_transform.sign

    def _call(self, x: Tensor) -> Tensor:
        if x.dim() < self.domain.event_dim:
            raise ValueError("Too few dimensions on input")
        return self.base_transform(x)

    def _inverse(self, y: Tensor) -> Tensor:
        if y.dim() < self.codomain.event_dim:
            raise ValueError("Too few dimensions on input")
        return self.base_transform.inv(y)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        """The sum of those of an event's numbers."""
        size = self.base_transform.log_abs_det_jacobian(x, y)
        return sum_rightmost(size, self.reinterpreted_batch_ndims)

    def __repr__(self) -> str:
        base, dims = self.base_transform, self.reinterpreted_batch_ndims
        return f"{self.__class__.__name__}({base!r}, {dims})"

    def forward_shape(self, shape: Any) -> Any:
        """The shape of the value of a tensor of this shape."""
        return self.base_transform.forward_shape(shape)

    def inverse_shape(self, shape: Any) -> Any:
        """The shape of what has a value of this shape."""
        return self.base_transform.inverse_shape(shape)


class ReshapeTransform(Transform):
    """Another shape for the last dimensions."""

    bijective = True

    def __init__(self, in_shape: Any, out_shape: Any, cache_size: int = 0) -> None:
        self.in_shape = Size(in_shape)
        self.out_shape = Size(out_shape)
        if math.prod(self.in_shape) != math.prod(self.out_shape):
            raise ValueError("in_shape, out_shape have different numbers of elements")
        super().__init__(cache_size=cache_size)

    @constraints.dependent_property
    def domain(self) -> Any:
        """Numbers in the shape that comes in."""
        return constraints.independent(constraints.real, len(self.in_shape))

    @constraints.dependent_property
    def codomain(self) -> Any:
        """Numbers in the shape that goes out."""
        return constraints.independent(constraints.real, len(self.out_shape))

    def with_cache(self, cache_size: int = 1) -> Any:
        """The same transform with a cache of this size."""
        if self._cache_size == cache_size:
            return self
        return ReshapeTransform(self.in_shape, self.out_shape, cache_size=cache_size)

    def _call(self, x: Tensor) -> Tensor:
        return x.reshape(x.shape[: x.dim() - len(self.in_shape)] + self.out_shape)

    def _inverse(self, y: Tensor) -> Tensor:
        return y.reshape(y.shape[: y.dim() - len(self.out_shape)] + self.in_shape)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        """0: no number changes."""
        return x.new_zeros(x.shape[: x.dim() - len(self.in_shape)])

    def forward_shape(self, shape: Any) -> Any:
        """The shape of the value of a tensor of this shape."""
        return _swapped(shape, self.in_shape, self.out_shape)

    def inverse_shape(self, shape: Any) -> Any:
        """The shape of what has a value of this shape."""
        return _swapped(shape, self.out_shape, self.in_shape)


def _swapped(shape: Any, old: Size, new: Size) -> Any:
    if len(shape) < len(old):
        raise ValueError("Too few dimensions on input")
    cut = len(shape) - len(old)
    if Size(shape[cut:]) != old:
        raise ValueError(f"Shape mismatch: expected {shape[cut:]} but got {old}")
    return Size((*shape[:cut], *new))


class Same(Transform):
    """A transform without parameters: two of them are equal."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self))

    __hash__ = object.__hash__
