"""`Distribution`: shapes, checks of parameters and values, and what every kind may answer."""

from __future__ import annotations

import warnings
from typing import Any, ClassVar

from seegrad.arrays.size import Size
from seegrad.autograd.grad_mode import no_grad
from seegrad.distributions import constraints
from seegrad.distributions.utils import lazy_property
from seegrad.graph.asked import tap
from seegrad.graph.tensor import TensorBase
from seegrad.ops import exp

__all__ = ["Distribution"]

Tensor = Any


class Distribution:
    """A batch of distributions of one kind.

    A sample has the shape `sample_shape + batch_shape + event_shape`: independent draws,
    distributions with parameters of their own, and the dimensions of one draw. A derived class
    names its parameters in `_event_dims`, with the number of dimensions that belong to an event,
    to get `expand` for nothing.
    """

    has_rsample: Any = False
    has_enumerate_support: Any = False
    _validate_args = __debug__
    _event_dims: ClassVar[dict[str, int]] = {}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "sample" in vars(cls) and cls.__module__.startswith("seegrad."):
            tap(cls.sample, "torch.distributions", "Distribution.sample")

    @staticmethod
    def set_default_validate_args(value: bool) -> None:
        """Whether new distributions check their parameters and values where they are not told."""
        if value not in (True, False):
            raise ValueError
        Distribution._validate_args = value

    def __init__(
        self,
        batch_shape: Any = Size(()),  # noqa: B008
        event_shape: Any = Size(()),  # noqa: B008
        validate_args: bool | None = None,
    ) -> None:
        self._batch_shape = Size(batch_shape)
        self._event_shape = Size(event_shape)
        if validate_args is not None:
            self._validate_args = validate_args
        if self._validate_args:
            self._check_parameters()
        super().__init__()

    def _check_parameters(self) -> None:
        try:
            wanted: dict[str, Any] = self.arg_constraints
        except NotImplementedError:
            wanted = {}
            warnings.warn(
                f"{self.__class__} does not define `arg_constraints`. Please set "
                "`arg_constraints = {}` or initialize the distribution with "
                "`validate_args=False` to turn off validation.",
                stacklevel=4,
            )
        for name, constraint in wanted.items():
            lazy = isinstance(getattr(type(self), name, None), lazy_property)
            if constraints.is_dependent(constraint) or (name not in self.__dict__ and lazy):
                continue
            value = getattr(self, name)
            if not constraint.check(value).all():
                raise ValueError(
                    f"Expected parameter {name} ({type(value).__name__} of shape "
                    f"{tuple(value.shape)}) of distribution {self!r} to satisfy the constraint "
                    f"{constraint!r}, but found invalid values:\n{value}"
                )

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """The same distribution with parameters expanded to a batch of this shape.

        Raises NotImplementedError for a class of one's own that does not say how.
        """
        known = known_class(self)
        if known is Distribution:
            raise NotImplementedError
        new = self._get_checked_instance(known, _instance)
        batch = Size(batch_shape)
        for name, dims in self._event_dims.items():
            if name in self.__dict__:
                value = self.__dict__[name]
                event = value.shape[value.ndim - dims :]
                new.__dict__[name] = value.expand(batch + event)
        Distribution.__init__(new, batch, self.event_shape, validate_args=False)
        new._validate_args = self._validate_args
        return new

    @property
    def batch_shape(self) -> Any:
        """The shape over which parameters are batched."""
        return self._batch_shape

    @property
    def event_shape(self) -> Any:
        """The shape of a single sample, without batching."""
        return self._event_shape

    @property
    def arg_constraints(self) -> Any:
        """What each parameter has to satisfy, by its name."""
        raise NotImplementedError

    @property
    def support(self) -> Any:
        """The constraint that samples satisfy, or None."""
        raise NotImplementedError

    @property
    def mean(self) -> Tensor:
        """The mean."""
        raise NotImplementedError

    @property
    def mode(self) -> Tensor:
        """The most likely value."""
        name = str(self.__class__).replace("'seegrad.", "'torch.")
        raise NotImplementedError(f"{name} does not implement mode")

    @property
    def variance(self) -> Tensor:
        """The variance."""
        raise NotImplementedError

    @property
    def stddev(self) -> Tensor:
        """The standard deviation."""
        return self.variance.sqrt()

    def sample(self, sample_shape: Any = Size(())) -> Tensor:  # noqa: B008
        """Draws of this shape, without gradient."""
        with no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape: Any = Size(())) -> Tensor:  # noqa: B008
        """Draws of this shape that move with the parameters: differentiable."""
        raise NotImplementedError

    def sample_n(self, n: int) -> Tensor:
        """Draws of the shape (n,); deprecated."""
        warnings.warn(
            "`sample_n(n)` will be deprecated. Use `sample((n,))` instead.",
            FutureWarning,
            stacklevel=2,
        )
        return self.sample(Size((n,)))

    def log_prob(self, value: Tensor) -> Tensor:
        """The logarithm of the density or probability at `value`."""
        raise NotImplementedError

    def cdf(self, value: Tensor) -> Tensor:
        """The probability of not exceeding `value`."""
        raise NotImplementedError

    def icdf(self, value: Tensor) -> Tensor:
        """The number that is not exceeded with probability `value`."""
        raise NotImplementedError

    def enumerate_support(self, expand: bool = True) -> Tensor:
        """All values of a discrete distribution, along the first dimension."""
        raise NotImplementedError

    def entropy(self) -> Tensor:
        """The entropy, in nats."""
        raise NotImplementedError

    def perplexity(self) -> Tensor:
        """The exponential of the entropy."""
        return exp(self.entropy())

    def _extended_shape(self, sample_shape: Any = Size(())) -> Any:  # noqa: B008
        return Size((*sample_shape, *self._batch_shape, *self._event_shape))

    def _validate_sample(self, value: Any) -> None:
        """Raises ValueError for what is no value of this distribution."""
        if not isinstance(value, TensorBase):
            raise ValueError("The value argument to log_prob must be a Tensor")
        shape, dims = value._array.shape, len(self._event_shape)
        if Size(shape[len(shape) - dims :]) != self._event_shape:
            raise ValueError(
                "The right-most size of value must match event_shape: "
                f"{Size(shape)} vs {self._event_shape}."
            )
        wanted = self._batch_shape + self._event_shape
        for found, size in zip(reversed(shape), reversed(wanted), strict=False):
            if found != 1 and size != 1 and found != size:
                raise ValueError(
                    "Value is not broadcastable with batch_shape+event_shape: "
                    f"{Size(shape)} vs {wanted}."
                )
        self._check_support(value)

    def _check_support(self, value: Any) -> None:
        try:
            support = self.support
        except NotImplementedError:
            warnings.warn(
                f"{self.__class__} does not define `support` to enable sample validation. Please "
                "initialize the distribution with `validate_args=False` to turn off validation.",
                stacklevel=4,
            )
            return
        if support is None:
            raise AssertionError("support is unexpectedly None")
        if not support.check(value).all():
            raise ValueError(
                f"Expected value argument ({type(value).__name__} of shape {tuple(value.shape)}) "
                f"to be within the support ({support!r}) of the distribution {self!r}, but found "
                f"invalid values:\n{value}"
            )

    def _get_checked_instance(self, cls: type, _instance: Any = None) -> Any:
        """An instance to fill: a new one, unless a derived class has an `__init__` of its own."""
        if _instance is None and type(self).__init__ is not cls.__init__:  # type: ignore[misc]
            raise NotImplementedError(
                f"Subclass {self.__class__.__name__} of {cls.__name__} that defines a custom "
                "__init__ method must also define a custom .expand() method."
            )
        return self.__new__(type(self)) if _instance is None else _instance

    def __repr__(self) -> str:
        shown = []
        for name in self.arg_constraints:
            if name in self.__dict__:
                value = self.__dict__[name]
                shown.append(f"{name}: {value if value.numel() == 1 else value.size()}")
        return f"{self.__class__.__name__}({', '.join(shown)})"


tap(Distribution.sample, "torch.distributions", "Distribution.sample")


def known_class(distribution: Distribution) -> type:
    """The class of this package that a distribution is of, or is derived from."""
    classes = type(distribution).__mro__
    own = "seegrad.distributions."
    return next(c for c in classes if getattr(c, "__module__", "").startswith(own))
