"""The derivative of a custom backward: is it right, and if not, what cuts it?"""

import ast
from typing import Any

import numpy as np

from seegrad.autograd._once_differentiable import Error
from seegrad.explain.functions.calls import Array, Outcome
from seegrad.explain.functions.slopes import Point, Values, differ, slopes
from seegrad.explain.functions.source import FunctionSource
from seegrad.graph.packed import PackedValue, flat
from seegrad.graph.tensor import TensorBase, requires, set_requires, wrap
from seegrad.tensor.differentiate import grad

__all__ = ["kept_on", "second_fault"]

_OF_CONTEXT = frozenset(["needs_input_grad", "to_save", "materialize_grads", "saved_for_forward"])


def second_fault(point: Point, source: FunctionSource) -> Any:
    """Kind, sentence, place and evidence of a wrong second derivative; None where it is right."""
    found = compared(point)
    if found is None:
        return None
    says, evidence = "so second derivatives are wrong", found
    leaving = source.backward.leaving()
    if leaving is not None:
        return (
            "function-left-graph",
            f"backward leaves the graph with {ast.unparse(leaving)[:60]}, {says}; compute with "
            "tensors, or mark backward with once_differentiable",
            source.backward.place(leaving),
            evidence,
        )
    outcome = point.outcome
    saved = intermediates(outcome)
    if saved:
        return (
            "function-saved-intermediate",
            "save_for_backward gets a tensor that is neither an input nor an output: backward "
            f"takes it for a constant, {says}; save the input and compute it again",
            source.saves(),
            evidence,
        )
    for name, value in kept_on(outcome.ctx).items():
        if not is_known(value, outcome):
            return (
                "function-kept-on-ctx",
                f"ctx.{name} is a constant to backward, {says}; save inputs with "
                "save_for_backward and compute it again",
                source.sets_attribute(name),
                evidence,
            )
    return None


def intermediates(outcome: Outcome) -> list[int]:
    """The places of what was saved that is floating, and neither an input nor an output."""
    ctx = outcome.ctx
    found = []
    for place, value in enumerate(flat(ctx) or ()):
        if value is None or value.__class__ is PackedValue:
            continue
        if place in ctx._outputs_saved:
            output = outcome.all[ctx._outputs_saved[place]]
            if not requires(output) and output._array.dtype.kind in "fc":
                found.append(place)  # marked as not differentiable
            continue
        if isinstance(value, TensorBase) and not is_known(value, outcome):
            if value._array.dtype.kind in "fc":
                found.append(place)
    return found


def is_known(value: Any, outcome: Outcome) -> bool:
    """Whether a value is an input or an output, or no number at all."""
    if isinstance(value, (tuple, list)):
        return all(is_known(one, outcome) for one in value)
    if isinstance(value, TensorBase):
        known = [*outcome.args, *outcome.all]
        return value._array.dtype.kind in "biu" or any(value is one for one in known)
    if isinstance(value, np.ndarray):
        return value.dtype.kind not in "fc"
    if isinstance(value, float):
        return any(value is one or value == one for one in outcome.call.others)
    return True


def kept_on(ctx: Any) -> dict[str, Any]:
    """What a user put on a ctx by attribute."""
    return {
        name: value
        for name, value in vars(ctx).items()
        if name[0] != "_" and name not in _OF_CONTEXT
    }


def compared(point: Point) -> str | None:
    """What shows that the second derivative is wrong; None where it is right or refused."""
    weights = point.weights(0)
    seeds = {place: direction(point, place) for place in point.call.needed}
    moved = point.weights(20)
    analytical = by_backward(point, weights, seeds, moved)
    if analytical is None:
        return None
    name = point.call.argument

    def summed(values: Values) -> Array:
        outcome = point.run(values)
        return np.array([total(point.backward(weights, outcome), seeds)])

    wanted, got = total(point.backward(moved), seeds), analytical[-1]
    if differ(np.array([got]), np.array([wanted]), np.array([True]), point.wide):
        return (
            f"With respect to the gradient that arrives backward gives {got:.4g}, differences "
            f"give {wanted:.4g}."
        )
    for place in point.call.needed:
        rows = slopes(summed, point.values, place, point.wide)
        wanted = rows.times(np.ones(1))
        found = analytical[place]
        got = np.zeros_like(wanted) if found is None else found.reshape(-1)[rows.positions]
        if differ(got, wanted, rows.smooth, point.wide):
            worst = int(np.where(rows.smooth, abs(got - wanted), -1).argmax())
            return (
                f"With respect to {name(place)} backward gives {got[worst]:.4g}, differences of "
                f"the first derivative give {wanted[worst]:.4g}."
            )
    return None


def direction(point: Point, place: int) -> Array:
    """Weights for one first gradient."""
    array: Any = point.values[place]
    drawn: Array = np.random.default_rng(place + 11).uniform(0.5, 1.5, array.shape)
    return drawn


def total(found: dict[int, Array | None], seeds: dict[int, Array]) -> Any:
    """The weighted sum of first gradients."""
    return sum((g * seeds[place]).sum().real for place, g in found.items() if g is not None)


def by_backward(
    point: Point, weights: Array, seeds: dict[int, Array], moved: Array
) -> dict[int, Any] | None:
    """The gradient of the weighted first gradients; None where `once_differentiable` refuses.

    At -1: along `moved`, the change of what arrives.
    """
    outcome = point.run(point.values)
    given = [wrap(part) for part in outcome.split(weights)]
    for one in given:
        set_requires(one, True)
    leaves = list(outcome.leaves.values())
    places = list(outcome.leaves)
    first = grad(outcome.outs, leaves, given, create_graph=True, allow_unused=True)
    pairs = [
        (g, wrap(seeds[place].astype(g._array.dtype)))
        for place, g in zip(places, first, strict=True)
        if g is not None and requires(g)
    ]
    if any(isinstance(g._node, Error) for g, _ in pairs):
        return None
    found: Any = [None] * (len(leaves) + len(given))
    if pairs:
        roots, grads = zip(*pairs, strict=True)
        try:
            found = grad(roots, leaves + given, grads, allow_unused=True)
        except RuntimeError:
            return None
    arrays = [None if g is None else g._array for g in found]
    along = outcome.split(moved)
    linear = sum(
        (g * part.conj()).sum().real
        for g, part in zip(arrays[len(leaves) :], along, strict=True)
        if g is not None
    )
    return dict(zip(places, arrays, strict=False)) | {-1: linear}
