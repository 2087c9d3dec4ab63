"""Sizes that are equal by chance, told apart: with others the shapes of gradients show."""

from itertools import combinations
from typing import Any

import numpy as np

from seegrad.explain.functions.calls import Outcome
from seegrad.explain.functions.slopes import Point, Values
from seegrad.explain.quiet import OutOfTime
from seegrad.graph.tensor import TensorBase

__all__ = ["shape_error_apart"]

Dims = tuple[tuple[int, int], ...]  # (argument, dimension) pairs that change together


def shape_error_apart(
    point: Point, places: list[int]
) -> tuple[int, tuple[int, ...], tuple[int, ...]] | None:
    """An argument whose gradient gets another shape than its own when sizes are not equal.

    Returns its position, the shape of the gradient and the one it should have.
    """
    for group in groups(point.values):
        values = grown(point.values, group)
        outcome = tried(point, values)
        if outcome is None:
            continue
        shapes = gradient_shapes(point, outcome)
        for place in places:
            wanted, got = values[place].shape, shapes.get(place)  # type: ignore[union-attr]
            if got is not None and got != wanted and got != point.values[place].shape:  # type: ignore[union-attr]
                return place, got, wanted
    return None


def groups(values: Values) -> list[Dims]:
    """Sets of dimensions that may grow together: each alone, pairs, all but one of a size."""
    dims = [
        (place, dim)
        for place, array in enumerate(values)
        if array is not None
        for dim in range(array.ndim)
    ]
    found: list[Dims] = []
    for size in sorted({size_of(values, one) for one in dims}, reverse=True):
        members = [one for one in dims if size_of(values, one) == size]
        if len(members) > 1 and size > 1:
            for count in range(1, min(len(members), 4)):
                found += combinations(members, count)
    return found[:80]


def size_of(values: Values, one: tuple[int, int]) -> int:
    array: Any = values[one[0]]
    return int(array.shape[one[1]])


def grown(values: Values, group: Dims) -> Values:
    """The arrays with these dimensions one longer: the first part comes again, a little moved."""
    found = list(values)
    for place, dim in group:
        array: Any = found[place]
        first = np.take(array, [0], axis=dim)
        moved = first if array.dtype.kind in "biu" else first * 1.1 + 0.05
        found[place] = np.concatenate([array, moved.astype(array.dtype)], axis=dim)
    return found


def tried(point: Point, values: Values) -> Outcome | None:
    """The call with these values, None where it refuses them."""
    try:
        outcome = point.run(values)
    except OutOfTime:
        raise
    except Exception:
        return None
    return outcome if outcome.ctx is not None else None


def gradient_shapes(point: Point, outcome: Outcome) -> dict[int, tuple[int, ...]]:
    """The shapes of what backward itself returns, nothing where it fails."""
    try:
        found = outcome.returned(outcome.given(np.ones(outcome.flat().size)))
    except OutOfTime:
        raise
    except Exception:
        return {}
    return {
        place: gradient._array.shape
        for place, gradient in enumerate(found)
        if isinstance(gradient, TensorBase)
    }
