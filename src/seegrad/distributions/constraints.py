"""Regions of tensors: what parameters and values of distributions have to be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from seegrad import linalg
from seegrad.arrays.limits import finfo
from seegrad.ops import cat as cat_tensors
from seegrad.ops import isclose
from seegrad.ops import stack as stack_tensors
from seegrad.tensor.creation import tensor

__all__ = [
    "Constraint",
    "MixtureSameFamilyConstraint",
    "boolean",
    "cat",
    "corr_cholesky",
    "dependent",
    "dependent_property",
    "greater_than",
    "greater_than_eq",
    "half_open_interval",
    "independent",
    "integer_interval",
    "interval",
    "is_dependent",
    "less_than",
    "lower_cholesky",
    "lower_triangular",
    "multinomial",
    "nonnegative",
    "nonnegative_integer",
    "one_hot",
    "positive",
    "positive_definite",
    "positive_integer",
    "positive_semidefinite",
    "real",
    "real_vector",
    "simplex",
    "square",
    "stack",
    "symmetric",
    "unit_interval",
]

Tensor = Any
NEAR = 1e-6


class Constraint:
    """A region: `check(value)` says for each event whether it lies inside.

    `is_discrete`: whether it consists of isolated values. `event_dim`: how many of the last
    dimensions make one event.
    """

    is_discrete: Any = False
    event_dim: Any = 0

    def check(self, value: Tensor) -> Tensor:
        """Whether each event of `value` satisfies the constraint, bool."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return self.__class__.__name__[1:] + "()"


class _Dependent(Constraint):
    """A region that depends on other parameters, so that nothing can be checked."""

    def __init__(
        self, *, is_discrete: Any = NotImplemented, event_dim: Any = NotImplemented
    ) -> None:
        self._is_discrete = is_discrete
        self._event_dim = event_dim
        super().__init__()

    @property
    def is_discrete(self) -> Any:
        """Whether the values are isolated, where that is known."""
        if self._is_discrete is NotImplemented:
            raise NotImplementedError(".is_discrete cannot be determined statically")
        return self._is_discrete

    @property
    def event_dim(self) -> Any:
        """The dimensions of an event, where they are known."""
        if self._event_dim is NotImplemented:
            raise NotImplementedError(".event_dim cannot be determined statically")
        return self._event_dim

    def __call__(
        self, *, is_discrete: Any = NotImplemented, event_dim: Any = NotImplemented
    ) -> _Dependent:
        """The same with what is known of it."""
        known = self._is_discrete if is_discrete is NotImplemented else is_discrete
        dims = self._event_dim if event_dim is NotImplemented else event_dim
        return _Dependent(is_discrete=known, event_dim=dims)

    def check(self, x: Tensor) -> Tensor:
        """Raises ValueError."""
        raise ValueError("Cannot determine validity of dependent constraint")


def is_dependent(constraint: Any) -> bool:
    """Return whether a constraint depends on other parameters."""
    return isinstance(constraint, _Dependent)


class _DependentProperty(property, _Dependent):
    """A constraint that is a property of its distribution; on the class it is a dependent one."""

    def __init__(
        self,
        fn: Callable[[Any], Any] | None = None,
        *,
        is_discrete: Any = NotImplemented,
        event_dim: Any = NotImplemented,
    ) -> None:
        super().__init__(fn)
        self._is_discrete = is_discrete
        self._event_dim = event_dim

    def __call__(  # type: ignore[override]
        self, fn: Callable[[Any], Any]
    ) -> _DependentProperty:
        """The decorator, once it has been told what is known."""
        return _DependentProperty(fn, is_discrete=self._is_discrete, event_dim=self._event_dim)


class _IndependentConstraint(Constraint):
    """A constraint of each element, all of which in the last dimensions make one event."""

    def __init__(self, base_constraint: Constraint, reinterpreted_batch_ndims: int) -> None:
        self.base_constraint = base_constraint
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims

    @property
    def is_discrete(self) -> Any:
        """As that of an element."""
        return self.base_constraint.is_discrete

    @property
    def event_dim(self) -> Any:
        """That of an element and the dimensions that were taken together."""
        return self.base_constraint.event_dim + self.reinterpreted_batch_ndims

    def check(self, value: Tensor) -> Tensor:
        """Whether all elements of each event are inside; raises ValueError for too few dims."""
        result = self.base_constraint.check(value)
        dims = self.reinterpreted_batch_ndims
        if result.ndim < dims:
            expected = self.base_constraint.event_dim + dims
            raise ValueError(f"Expected value.dim() >= {expected} but got {value.dim()}")
        return result.reshape((*result.shape[: result.ndim - dims], -1)).all(-1)

    def __repr__(self) -> str:
        name, dims = self.__class__.__name__[1:], self.reinterpreted_batch_ndims
        return f"{name}({self.base_constraint!r}, {dims})"


class MixtureSameFamilyConstraint(Constraint):
    """Values of a mixture: those of its components, which have one more dimension of batches."""

    def __init__(self, base_constraint: Constraint) -> None:
        self.base_constraint = base_constraint

    @property
    def is_discrete(self) -> Any:
        """As that of a component."""
        return self.base_constraint.is_discrete

    @property
    def event_dim(self) -> Any:
        """As that of a component."""
        return self.base_constraint.event_dim

    def check(self, value: Tensor) -> Tensor:
        """Whether every component could have drawn each event."""
        place = -1 - self.event_dim
        result = self.base_constraint.check(value.unsqueeze(place))
        if value.dim() < self.event_dim:
            raise ValueError(f"Expected value.dim() >= {self.event_dim} but got {value.dim()}")
        start = value.dim() - self.event_dim
        return result.reshape((*result.shape[:start], -1)).all(-1)

    def __repr__(self) -> str:
        return f"{self.__class__.__name__}({self.base_constraint!r})"


class _Boolean(Constraint):
    """0 or 1."""

    is_discrete = True

    def check(self, value: Tensor) -> Tensor:
        """Whether each element is 0 or 1."""
        return (value == 0) | (value == 1)


class _OneHot(Constraint):
    """Vectors of zeros and one 1."""

    is_discrete = True
    event_dim = 1

    def check(self, value: Tensor) -> Tensor:
        """Whether each vector holds a single 1, else zeros."""
        return ((value == 0) | (value == 1)).all(-1) & value.sum(-1).eq(1)


class _Bounded(Constraint):
    """A region with a lower or an upper bound, or both; its name shows them."""

    lower_bound: Any
    upper_bound: Any

    def __repr__(self) -> str:
        bounds = [
            f"{name}={getattr(self, name)}"
            for name in ("lower_bound", "upper_bound")
            if name in self.__dict__
        ]
        return f"{self.__class__.__name__[1:]}({', '.join(bounds)})"


class _Between(_Bounded):
    def __init__(self, lower_bound: Any, upper_bound: Any) -> None:
        self.lower_bound = lower_bound
        self.upper_bound = upper_bound
        super().__init__()


class _From(_Bounded):
    def __init__(self, lower_bound: Any) -> None:
        self.lower_bound = lower_bound
        super().__init__()


class _To(_Bounded):
    def __init__(self, upper_bound: Any) -> None:
        self.upper_bound = upper_bound
        super().__init__()


class _IntegerInterval(_Between):
    """Whole numbers, the bounds included."""

    is_discrete = True

    def check(self, value: Tensor) -> Tensor:
        """Whether each element is whole and between the bounds."""
        return (value % 1 == 0) & (self.lower_bound <= value) & (value <= self.upper_bound)


class _IntegerLessThan(_To):
    """Whole numbers up to a bound."""

    is_discrete = True

    def check(self, value: Tensor) -> Tensor:
        """Whether each element is whole and not above the bound."""
        return (value % 1 == 0) & (value <= self.upper_bound)


class _IntegerGreaterThan(_From):
    """Whole numbers from a bound on."""

    is_discrete = True

    def check(self, value: Tensor) -> Tensor:
        """Whether each element is whole and not below the bound."""
        return (value % 1 == 0) & (value >= self.lower_bound)


class _Real(Constraint):
    """Anything but NaN."""

    def check(self, value: Tensor) -> Tensor:
        """Whether each element is a number."""
        return value == value


class _GreaterThan(_From):
    """Above a bound."""

    def check(self, value: Tensor) -> Tensor:
        """Whether each element is above the bound."""
        return self.lower_bound < value


class _GreaterThanEq(_From):
    """Not below a bound."""

    def check(self, value: Tensor) -> Tensor:
        """Whether each element is the bound or above."""
        return self.lower_bound <= value


class _LessThan(_To):
    """Below a bound."""

    def check(self, value: Tensor) -> Tensor:
        """Whether each element is below the bound."""
        return value < self.upper_bound


class _Interval(_Between):
    """Between two bounds, which belong to it."""

    def check(self, value: Tensor) -> Tensor:
        """Whether each element is between the bounds, or one of them."""
        return (self.lower_bound <= value) & (value <= self.upper_bound)


class _HalfOpenInterval(_Between):
    """From one bound to before another."""

    def check(self, value: Tensor) -> Tensor:
        """Whether each element is between the bounds, or the lower one."""
        return (self.lower_bound <= value) & (value < self.upper_bound)


class _Simplex(Constraint):
    """Vectors that are not negative and whose sum is 1."""

    event_dim = 1

    def check(self, value: Tensor) -> Tensor:
        """Whether each vector is one, to 1e-6."""
        return (value >= 0).all(dim=-1) & ((value.sum(-1) - 1).abs() < NEAR)


class _Multinomial(Constraint):
    """Vectors of counts whose sum is at most a number."""

    is_discrete = True
    event_dim = 1

    def __init__(self, upper_bound: Any) -> None:
        self.upper_bound = upper_bound

    def check(self, x: Tensor) -> Tensor:
        """Whether each vector is one."""
        return (x >= 0).all(dim=-1) & (x.sum(dim=-1) <= self.upper_bound)


class _LowerTriangular(Constraint):
    """Lower triangular matrices."""

    event_dim = 2

    def check(self, value: Tensor) -> Tensor:
        """Whether each matrix is one."""
        return (value.tril() == value).flatten(-2).all(-1)


class _LowerCholesky(Constraint):
    """Lower triangular matrices with a positive diagonal."""

    event_dim = 2

    def check(self, value: Tensor) -> Tensor:
        """Whether each matrix is one."""
        positive_diagonal = (value.diagonal(dim1=-2, dim2=-1) > 0).all(-1)
        return (value.tril() == value).flatten(-2).all(-1) & positive_diagonal


class _CorrCholesky(Constraint):
    """Factors of correlation matrices: lower triangular, rows of length 1."""

    event_dim = 2

    def check(self, value: Tensor) -> Tensor:
        """Whether each matrix is one, to rounding."""
        tolerance = finfo(value.dtype).eps * value.size(-1) * 10
        length = (value * value).sum(dim=-1).sqrt()
        near = (length - 1).abs().le(tolerance).all(dim=-1)
        return _LowerCholesky().check(value) & near


class _Square(Constraint):
    """Square matrices."""

    event_dim = 2

    def check(self, value: Tensor) -> Tensor:
        """Whether the matrices are square, for each of them."""
        fits = value.shape[-2] == value.shape[-1]
        return tensor(fits).expand(value.shape[:-2])


class _Symmetric(_Square):
    """Symmetric matrices."""

    def check(self, value: Tensor) -> Tensor:
        """Whether each matrix is one, to 1e-6."""
        square_ones = super().check(value)
        if not square_ones.all():
            return square_ones
        return isclose(value, value.mT, atol=NEAR).all(-2).all(-1)


class _PositiveSemidefinite(_Symmetric):
    """Symmetric matrices without negative eigenvalues."""

    def check(self, value: Tensor) -> Tensor:
        """Whether each matrix is one."""
        symmetric_ones = super().check(value)
        if not symmetric_ones.all():
            return symmetric_ones
        return linalg.eigvalsh(value).ge(0).all(-1)


class _PositiveDefinite(_Symmetric):
    """Symmetric matrices with positive eigenvalues."""

    def check(self, value: Tensor) -> Tensor:
        """Whether each matrix is one, by its Cholesky factor."""
        symmetric_ones = super().check(value)
        if not symmetric_ones.all():
            return symmetric_ones
        return linalg.cholesky_ex(value).info.eq(0)


class _Parts(Constraint):
    """Constraints of the parts of a tensor along a dimension."""

    cseq: list[Any]
    dim: int

    @property
    def is_discrete(self) -> Any:
        """Whether one of the parts is."""
        return any(one.is_discrete for one in self.cseq)


class _Cat(_Parts):
    """Constraints of pieces that were put one after the other along `dim`."""

    def __init__(
        self, cseq: Sequence[Any], dim: int = 0, lengths: Sequence[int] | None = None
    ) -> None:
        self.cseq = list(cseq)
        self.lengths = [1] * len(self.cseq) if lengths is None else list(lengths)
        self.dim = dim

    @property
    def event_dim(self) -> Any:
        """The most that a piece has."""
        return max(one.event_dim for one in self.cseq)

    def check(self, value: Tensor) -> Tensor:
        """Whether each event of each piece is inside."""
        starts = [sum(self.lengths[:at]) for at in range(len(self.lengths))]
        pieces = [
            one.check(value.narrow(self.dim, start, length))
            for one, start, length in zip(self.cseq, starts, self.lengths, strict=True)
        ]
        return cat_tensors(pieces, self.dim)


class _Stack(_Parts):
    """Constraints of tensors that were stacked along `dim`."""

    def __init__(self, cseq: Sequence[Any], dim: int = 0) -> None:
        self.cseq = list(cseq)
        self.dim = dim

    @property
    def event_dim(self) -> Any:
        """The most that a part has, and the dimension of the stack where that lies inside."""
        dims: int = max(one.event_dim for one in self.cseq)
        return dims + 1 if self.dim + dims < 0 else dims

    def check(self, value: Tensor) -> Tensor:
        """Whether each event of each part is inside."""
        parts = [one.check(value.select(self.dim, at)) for at, one in enumerate(self.cseq)]
        return stack_tensors(parts, self.dim)


dependent = _Dependent()
dependent_property = _DependentProperty
independent = _IndependentConstraint
boolean = _Boolean()
one_hot = _OneHot()
nonnegative_integer = _IntegerGreaterThan(0)
positive_integer = _IntegerGreaterThan(1)
integer_interval = _IntegerInterval
real = _Real()
real_vector = independent(real, 1)
positive = _GreaterThan(0.0)
nonnegative = _GreaterThanEq(0.0)
greater_than = _GreaterThan
greater_than_eq = _GreaterThanEq
less_than = _LessThan
multinomial = _Multinomial
unit_interval = _Interval(0.0, 1.0)
interval = _Interval
half_open_interval = _HalfOpenInterval
simplex = _Simplex()
lower_triangular = _LowerTriangular()
lower_cholesky = _LowerCholesky()
corr_cholesky = _CorrCholesky()
square = _Square()
symmetric = _Symmetric()
positive_semidefinite = _PositiveSemidefinite()
positive_definite = _PositiveDefinite()
cat = _Cat
stack = _Stack
