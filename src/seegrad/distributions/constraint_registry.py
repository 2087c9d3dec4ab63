"""From numbers without bounds to a constraint: transforms by kinds of constraints.

`biject_to` gives one-to-one transforms; those of `transform_to` need not be, and may be easier to
optimise over.
"""

from __future__ import annotations

import numbers
from collections.abc import Callable
from typing import Any

from seegrad.distributions import constraints, transforms

__all__ = ["ConstraintRegistry", "biject_to", "transform_to"]

Factory = Callable[[Any], Any]


class ConstraintRegistry:
    """Factories of transforms, by class of constraint.

    >>> import seegrad as torch
    >>> D = torch.distributions
    >>> D.transform_to(D.constraints.simplex)
    SoftmaxTransform()
    """

    def __init__(self) -> None:
        self._registry: dict[type, Factory] = {}

    def register(self, constraint: Any, factory: Factory | None = None) -> Any:
        """Enters a factory for a class of constraints, or that of an instance; a decorator too.

        Raises TypeError for what is no constraint.
        """
        if factory is None:
            return lambda given: self.register(constraint, given)
        kind = type(constraint) if isinstance(constraint, constraints.Constraint) else constraint
        if not isinstance(kind, type) or not issubclass(kind, constraints.Constraint):
            raise TypeError(
                "Expected constraint to be either a Constraint subclass or instance, but got "
                f"{constraint}"
            )
        self._registry[kind] = factory
        return factory

    def __call__(self, constraint: Any) -> Any:
        """The transform to a constraint; raises NotImplementedError where none is known."""
        try:
            factory = self._registry[type(constraint)]
        except KeyError:
            raise NotImplementedError(
                f"Cannot transform {type(constraint).__name__} constraints"
            ) from None
        return factory(constraint)


biject_to = ConstraintRegistry()
transform_to = ConstraintRegistry()


def _both(*kinds: Any) -> Callable[[Factory], Factory]:
    def register(factory: Factory) -> Factory:
        for registry in (biject_to, transform_to):
            for kind in kinds:
                registry.register(kind, factory)
        return factory

    return register


def _only(registry: ConstraintRegistry, kind: Any) -> Callable[[Factory], Factory]:
    def register(factory: Factory) -> Factory:
        registry.register(kind, factory)
        return factory

    return register


@_both(constraints.real)
def _to_real(constraint: Any) -> Any:
    return transforms.identity_transform


@_only(biject_to, constraints.independent)
def _biject_to_independent(constraint: Any) -> Any:
    base = biject_to(constraint.base_constraint)
    return transforms.IndependentTransform(base, constraint.reinterpreted_batch_ndims)


@_only(transform_to, constraints.independent)
def _transform_to_independent(constraint: Any) -> Any:
    base = transform_to(constraint.base_constraint)
    return transforms.IndependentTransform(base, constraint.reinterpreted_batch_ndims)


@_both(constraints.greater_than, constraints.greater_than_eq)
def _to_greater_than(constraint: Any) -> Any:
    upwards = transforms.AffineTransform(constraint.lower_bound, 1)
    return transforms.ComposeTransform([transforms.ExpTransform(), upwards])


@_both(constraints.less_than)
def _to_less_than(constraint: Any) -> Any:
    downwards = transforms.AffineTransform(constraint.upper_bound, -1)
    return transforms.ComposeTransform([transforms.ExpTransform(), downwards])


@_both(constraints.interval, constraints.half_open_interval)
def _to_interval(constraint: Any) -> Any:
    low, high = constraint.lower_bound, constraint.upper_bound
    simple = all(isinstance(bound, numbers.Number) for bound in (low, high))
    if simple and low == 0 and high == 1:
        return transforms.SigmoidTransform()
    between = transforms.AffineTransform(loc=low, scale=high - low)
    return transforms.ComposeTransform([transforms.SigmoidTransform(), between])


@_only(biject_to, constraints.simplex)
def _biject_to_simplex(constraint: Any) -> Any:
    return transforms.StickBreakingTransform()


@_only(transform_to, constraints.simplex)
def _transform_to_simplex(constraint: Any) -> Any:
    return transforms.SoftmaxTransform()


@_only(transform_to, constraints.lower_cholesky)
def _transform_to_lower_cholesky(constraint: Any) -> Any:
    return transforms.LowerCholeskyTransform()


@_only(transform_to, type(constraints.positive_definite))
@_only(transform_to, type(constraints.positive_semidefinite))
def _transform_to_positive_definite(constraint: Any) -> Any:
    return transforms.PositiveDefiniteTransform()


@_both(constraints.corr_cholesky)
def _to_corr_cholesky(constraint: Any) -> Any:
    return transforms.CorrCholeskyTransform()


@_only(biject_to, constraints.cat)
def _biject_to_cat(constraint: Any) -> Any:
    parts = [biject_to(one) for one in constraint.cseq]
    return transforms.CatTransform(parts, constraint.dim, constraint.lengths)


@_only(transform_to, constraints.cat)
def _transform_to_cat(constraint: Any) -> Any:
    parts = [transform_to(one) for one in constraint.cseq]
    return transforms.CatTransform(parts, constraint.dim, constraint.lengths)


@_only(biject_to, constraints.stack)
def _biject_to_stack(constraint: Any) -> Any:
    return transforms.StackTransform([biject_to(one) for one in constraint.cseq], constraint.dim)


@_only(transform_to, constraints.stack)
def _transform_to_stack(constraint: Any) -> Any:
    parts = [transform_to(one) for one in constraint.cseq]
    return transforms.StackTransform(parts, constraint.dim)
