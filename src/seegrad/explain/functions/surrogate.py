"""Is a backward meant to differ from the derivative? Straight-through, reversal, clipping ..."""

import re
from typing import Any

import numpy as np

from seegrad.explain.functions.calls import Array, Call
from seegrad.explain.functions.slopes import Point
from seegrad.explain.functions.source import FunctionSource
from seegrad.explain.quiet import OutOfTime

__all__ = ["is_identity", "is_surrogate", "replaced"]

# What authors of such functions call them, in the class's name or in its text.
_NAMED = re.compile(
    r"straight.?through|surrogate|revers|\bSTE\b|(?-i:STE(?=[A-Z]|\b))|pass.?through|on purpose"
    r"|feedback.?align|pseudo.?grad|fake.?quant|guided",
    re.IGNORECASE,
)


def is_surrogate(
    point: Point, places: list[int], points: list[Point], source: FunctionSource
) -> bool:
    """Whether a backward that is not the derivative was plainly meant so."""
    if is_identity(points) or is_named(source):
        return True
    if any(is_flat(point, place) for place in point.call.needed):
        return True
    return all(masks(point, place) for place in places) or has_backward_argument(point)


def is_named(source: FunctionSource) -> bool:
    """Whether the author says so: in the name, the docstring or a comment."""
    words = [source.cls.__name__, source.cls.__doc__ or ""]
    for one in (source.backward, source.forward):
        words += [getattr(one.function, "__doc__", None) or "", *one.comments()]
    return any(_NAMED.search(text) for text in words)


def is_identity(points: list[Point]) -> bool:
    """Whether an output is an input, value for value, wherever one looks."""
    return bool(points) and all(returns_input(point) for point in points)


def returns_input(point: Point) -> bool:
    """Whether at this point an output has the values of an argument that needs a gradient."""
    inputs = [point.values[place] for place in point.call.needed]
    return any(
        array is not None and array.size == out._array.size and equal(array, out._array)
        for out in point.outcome.outs
        for array in inputs
    )


def equal(one: Array, other: Array) -> bool:
    return np.allclose(one.reshape(-1), other.reshape(-1), rtol=1e-5, atol=1e-8)


def is_flat(point: Point, place: int) -> bool:
    """Whether the result has steps only, and the argument gets a gradient all the same."""
    rows = point.rows(place)
    gradient = point.backward(point.weights(0))[place]
    if gradient is None or not gradient.any() or not rows.smooth.any():
        return False
    return not abs(rows.along[rows.smooth]).max(initial=0) > 1e-9


def masks(point: Point, place: int) -> bool:
    """Whether the function keeps elements of an argument and replaces others by constants.

    So do relu, clamp and masks; a backward that passes more, or less, of what is kept is meant
    to. One that passes nothing where something is kept, and something where nothing is, is not.
    """
    array: Any = point.values[place]
    rows = point.rows(place)
    outs = [out._array.reshape(-1) for out in point.outcome.outs]
    if len(outs) != 1 or outs[0].size != array.size or not rows.smooth.any():
        return False
    chosen = rows.positions[rows.smooth]
    along = rows.along[rows.smooth]
    own = along[np.arange(len(chosen)), chosen]
    others = along.copy()
    others[np.arange(len(chosen)), chosen] = 0
    if abs(others).max(initial=0) > 1e-5:
        return False
    keeps, drops = abs(own - 1) < 1e-5, abs(own) < 1e-5
    if not (keeps | drops).all() or not drops.any():
        return False
    if not equal(outs[0][chosen[keeps]], array.reshape(-1)[chosen[keeps]]):
        return False
    gradient = point.backward(point.weights(0))[place]
    passed = np.zeros(len(chosen)) if gradient is None else gradient.reshape(-1)[chosen]
    inverted = keeps.any() and not passed[keeps].any() and passed[drops].any()
    return not inverted and bool(passed[drops].any())


def has_backward_argument(point: Point) -> bool:
    """Whether an argument changes the gradient, and not the result: it is there for backward."""
    call = point.call
    weights = point.weights(0)
    before = point.backward(weights)
    for place, (array, other) in enumerate(zip(point.values, call.others, strict=True)):
        values = list(point.values)
        changed = call
        if array is not None:
            if array.dtype.kind not in "fc":
                continue
            values[place] = array * 1.5 + 0.25
        elif isinstance(other, float):
            changed = replaced(call, place, other * 1.5 + 0.25)
        else:
            continue
        try:
            again = Point(changed, values, point.quiet, point.wide)
            after = again.backward(weights)
        except OutOfTime:
            raise
        except Exception:
            continue
        same = again.flat.shape == point.flat.shape and np.allclose(again.flat, point.flat)
        if same and any(not alike(before[one], after[one]) for one in before if one != place):
            return True
    return False


def replaced(call: Call, place: int, value: Any) -> Call:
    """The call with another argument that is no tensor."""
    changed = object.__new__(Call)
    changed.__dict__.update(vars(call))
    changed.others = [*call.others[:place], value, *call.others[place + 1 :]]
    return changed


def alike(one: Array | None, other: Array | None) -> bool:
    if one is None or other is None:
        return one is other
    return np.allclose(one, other)
