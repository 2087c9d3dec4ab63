"""Forward mode: from an operator's one rule to the tangents of its results (Note [Levels]).

Elementwise: the rule itself, applied to the tangent. Linear: the operator, applied to the tangent.
Multilinear: the sum over the operands. Everything else: a rule is linear in the gradient `u` of
the result, and what it is linear by is the transposed derivative; so the gradient of
`<rule(u), tangent>` with respect to `u` is the tangent of the result. No derivative is said here.
"""

from typing import Any

import numpy as np

from seegrad.graph.backward import run_backward
from seegrad.graph.levels import LEVELS, carries
from seegrad.graph.node import conjugate, is_complex
from seegrad.graph.recorded import recorded
from seegrad.graph.state import is_recording, recording, thread
from seegrad.graph.tangents import alias, below, give, give_in_place, laid_out, tangents_of
from seegrad.graph.tensor import TensorBase, requires, set_requires, wrap
from seegrad.graph.views import gradient_edge
from seegrad.operators.nodes import kept_values
from seegrad.rules.spec import Operator

__all__ = ["Write", "carry_tangents", "expanded", "tie_tangents"]

Values = dict[str, Any]


def carry_tangents(operator: Operator, values: Values, outs: list[Any]) -> None:
    """Gives the results of an operator their tangents, where its operands carry some."""
    if not operator.formulas or not carries():
        return
    for number in levels_of(operator, values):
        found = tangents(operator, values, outs, number)
        for out, tangent in zip(outs, found, strict=False):
            if tangent is not None:
                give(out, number, laid_out(tangent, out._array))


class Write:
    """An in-place operator: what it is about to overwrite, and afterwards its tangents."""

    def __init__(self, operator: Operator, values: Values) -> None:
        self.operator = operator
        self.values = values
        self.levels = levels_of(operator, values) if operator.formulas and carries() else []
        if self.levels:
            self.values = values | {"self": recorded.clone(values["self"])}

    def finish(self, tensor: TensorBase) -> None:
        """Gives the tensor that was written to its new tangents."""
        for number in self.levels:
            (tangent,) = tangents(self.operator, self.values, [tensor], number)
            if tangent is not None:
                give_in_place(tensor, number, tangent)


def tie_tangents(node: Any, outs: list[Any]) -> None:
    """Lets a node that saved its results know their tangents, for who reads them again."""
    if node is not None and node._result_slots:
        held = [out._tangents for out in outs]
        if any(held):
            node._tangents = held


def moving(operator: Operator, values: Values) -> list[Any]:
    """The operands that have a derivative."""
    if operator.variadic:
        return list(values[operator.operands[0]])
    return [values[name] for name in operator.formulas]


def levels_of(operator: Operator, values: Values) -> list[int]:
    """The levels at which an operand carries a tangent, the first one first."""
    found: set[int] = set()
    for value in moving(operator, values):
        if isinstance(value, TensorBase):
            found.update(tangents_of(value))
    return sorted(found)


def tangents(operator: Operator, values: Values, outs: list[Any], number: int) -> list[Any]:
    """The tangents of the results at one level, None for a result without."""
    if outs[0]._array.dtype.kind in "iub" and not operator.several:
        return [None]
    state = thread.state
    before = state.unasked, state.without_tangents
    state.unasked = 2
    # What formulas compute carries tangents of earlier levels, of which there may be none.
    state.without_tangents = number == next(iter(LEVELS.open))
    try:
        seen = {name: seen_at(value, number) for name, value in values.items()}
        if operator.variadic:
            listed = [tangent_at(t, number) for t in values[operator.operands[0]]]
            return transposed(operator, seen, listed, [alias(out, number) for out in outs])
        found = {name: tangent_at(values[name], number) for name in operator.formulas}
        moved = {name: tangent for name, tangent in found.items() if tangent is not None}
        return by_kind(operator, seen, moved, [alias(out, number) for out in outs])
    finally:
        state.unasked, state.without_tangents = before


def by_kind(operator: Operator, values: Values, moved: Values, results: list[Any]) -> list[Any]:
    """The tangents as the kind of the operator gives them."""
    if is_elementwise(operator, results[0], moved):
        return [by_rule(operator, values, moved, results[0])]
    if operator.kind == "multilinear" and "beta" not in operator.parameters:
        return [by_operands(operator, values, moved)]
    if is_linear(operator):
        return [linearly(operator, values, moved)]
    return transposed(operator, values, moved, results)


def seen_at(value: Any, number: int) -> Any:
    """An argument without the tangents of a level and later ones."""
    if isinstance(value, TensorBase):
        return below(value, number)
    if isinstance(value, (list, tuple)) and any(isinstance(one, TensorBase) for one in value):
        return [seen_at(one, number) for one in value] if type(value) in (list, tuple) else value
    return value


def tangent_at(value: Any, number: int) -> Any:
    """The tangent of an operand at a level, or None."""
    return tangents_of(value).get(number) if isinstance(value, TensorBase) else None


def is_elementwise(operator: Operator, result: Any, moved: Values) -> bool:
    """Whether the rule applied to a tangent is the derivative."""
    real = not any(is_complex(t) for t in (result, *moved.values()))
    return operator.kind == "elementwise" and (operator.holomorphic or real)


def is_linear(operator: Operator) -> bool:
    """Whether the operator maps tangents: it is linear, has one result, and fills in no number."""
    fills = "value" in operator.parameters and "value" not in operator.operands
    return operator.kind == "linear" and operator.outputs == ("result",) and not fills


def by_rule(operator: Operator, values: Values, moved: Values, result: Any) -> Any:
    """The sum of the rules applied to the tangents."""
    total = None
    named = named_values(operator, values, {operator.outputs[0]: result})
    for name, tangent in moved.items():
        whole = expanded(in_kind(tangent, result._array.dtype), result._array.shape)
        part = operator.formulas[name](recorded, whole, *[named[u] for u in operator.uses[name]])
        total = part if total is None else recorded.add(total, part)
    return expanded(total, result._array.shape)


def by_operands(operator: Operator, values: Values, moved: Values) -> Any:
    """The operator with one operand after the other replaced by its tangent."""
    total = None
    for name, tangent in moved.items():
        part = call(operator, values | {name: tangent})
        total = part if total is None else recorded.add(total, part)
    return total


def linearly(operator: Operator, values: Values, moved: Values) -> Any:
    """The operator applied to the tangents, zeros where an operand has none."""
    missing = {
        name: recorded.zeros_like(value)
        for name in operator.formulas
        if name not in moved and isinstance(value := values[name], TensorBase)
    }
    return call(operator, values | missing | moved)


def call(operator: Operator, values: Values) -> Any:
    """The operator on these values of its parameters."""
    return getattr(recorded, operator.name)(*values.values())


def named_values(operator: Operator, values: Values, results: Values) -> Values:
    """Everything that formulas may mention, by name."""
    kept = dict(zip(operator.kept, kept_values(operator, values), strict=True))
    return values | results | kept


def transposed(operator: Operator, values: Values, moved: Any, results: list[Any]) -> list[Any]:
    """The gradient of `<rule(u), tangent>` with respect to `u`, for each result that has one."""
    outs = dict(zip(operator.outputs, results, strict=False)) if not operator.many else {}
    named = named_values(operator, values, outs)
    differentiable = results if operator.many else [outs[name] for name in operator.gradients]
    keep = is_recording()
    with recording(True):
        dummies = [dummy(out) for out in differentiable]
        pairs = [
            (part, tangent)
            for part, tangent in parts(operator, named, moved, dummies)
            if part is not None and tangent is not None and requires(part)
        ]
    roots: list[Any] = [(gradient_edge(part), part._nr) for part, _ in pairs]
    seeds = [
        expanded(in_kind(tangent, part._array.dtype), part._array.shape) for part, tangent in pairs
    ]
    captures: Any = {gradient_edge(one): [(0, place)] for place, one in enumerate(dummies)}
    found = run_backward(roots, seeds, keep=keep, create_graph=keep, captures=captures)
    whole = [made(found.get(place), out) for place, out in enumerate(differentiable)]
    if operator.many:
        return whole
    by_name = dict(zip(operator.gradients, whole, strict=True))
    return [by_name.get(name) for name in operator.outputs]


def parts(operator: Operator, named: Values, moved: Any, dummies: list[Any]) -> list[Any]:
    """The rule of each operand that has a tangent, on dummy gradients, with that tangent."""
    grads = tuple(dummies) if operator.several else dummies[0]
    twist = operator.holomorphic and is_complex(grads)
    given = conjugate(grads) if twist else grads

    def rule(name: str) -> Any:
        uses = [named[use] for use in operator.uses[name]]
        found = operator.formulas[name](recorded, given, *uses)
        return conjugate(found) if twist else found

    if operator.variadic:
        return list(zip(rule(operator.operands[0]), moved, strict=True))
    return [(rule(name), tangent) for name, tangent in moved.items()]


def dummy(out: Any) -> Any:
    """A gradient of a result that stands for any."""
    made = wrap(np.zeros(out._array.shape, out._array.dtype))
    set_requires(made, True)
    return made


def made(found: Any, out: Any) -> Any:
    """A captured gradient as a Tensor, zeros where there is none."""
    if found is None:
        return recorded.zeros_like(out)
    return found if isinstance(found, TensorBase) else wrap(found)


def in_kind(tangent: Any, kind: Any) -> Any:
    """A tangent in the dtype of what is computed with it."""
    if tangent._array.dtype == kind:
        return tangent
    if is_complex(tangent) and kind.kind != "c":
        tangent = recorded.real(tangent)
    return recorded.to_copy(tangent, kind) if tangent._array.dtype != kind else tangent


def expanded(tangent: Any, shape: tuple[int, ...]) -> Any:
    """A tangent broadcast to a shape."""
    return tangent if tangent._array.shape == shape else recorded.expand(tangent, shape)
