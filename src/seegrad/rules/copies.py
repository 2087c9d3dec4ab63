"""Derivatives of the `*_copy` functions: those of the views that they copy."""

from dataclasses import replace
from typing import Any

from seegrad.arrays.copies import COPIED
from seegrad.rules.spec import REGISTRY, Operator, linear


def copied(seen: Operator) -> Operator:
    """The operator that copies what a view shows: the same rule, a node named after it."""
    return replace(seen, name=f"{seen.name}_copy", kind="linear", node=f"{seen.node}_copy")


for _name in COPIED:
    REGISTRY[f"{_name}_copy"] = copied(REGISTRY[_name])


def narrow_back(
    xp: Any, grad: Any, dim: int, length: int, self_shape: tuple[int, ...], start: int
) -> Any:
    """The slices put back between zeros."""
    first = start + self_shape[dim] if start < 0 else start
    return xp.slice_backward(grad, self_shape, dim, first, first + length, 1)


linear("narrow_copy(self, dim, start, length)", wide=False, self=narrow_back)
