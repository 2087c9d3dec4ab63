"""Node classes made from rules, and the making of a node outside the hot path."""

import linecache
from typing import Any

import numpy as np

from seegrad.arrays import dtypes, raw
from seegrad.graph.anomaly import note
from seegrad.graph.node import Node, next_sequence
from seegrad.graph.recorded import recorded
from seegrad.graph.saved import (
    add_saved_attributes,
    live,
    pack_inputs,
    retie,
    stale,
    stale_result,
    unpack,
)
from seegrad.graph.state import recording, thread
from seegrad.graph.tensor import Number, TensorBase, wrap
from seegrad.graph.views import gradient_edge
from seegrad.operators.source import node_source
from seegrad.rules.spec import Operator

__all__ = ["build", "careful", "make_node", "node_class"]

HALF = frozenset({dtypes.float16.numpy, dtypes.bfloat16.numpy})

_classes: dict[Operator, type[Node]] = {}
_careful: dict[type[Node], type[Node]] = {}


def build(text: str, name: str, scope: dict[str, Any]) -> Any:
    """Executes generated source, which tracebacks and debuggers then show."""
    file = f"<seegrad {name}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    exec(compile(text, file, "exec"), scope)


def node_class(operator: Operator) -> type[Node]:
    """The node class of an operator, made at first use."""
    found = _classes.get(operator)
    if found is None:
        found = _classes[operator] = make_class(operator)
    return found


def make_class(operator: Operator) -> type[Node]:
    """Compiles the node class."""
    scope: dict[str, Any] = {
        "Node": Node, "raw": raw, "recorded": recorded, "unpack": unpack, "stale": stale,
        "stale_result": stale_result, "live": live, "retie": retie,
    }  # fmt: skip
    scope["fast"] = operator.fast
    scope |= {f"rule_{name}": formula for name, formula in operator.formulas.items()}
    build(node_source(operator), f"{operator.name} node", scope)
    cls: Any = scope[operator.node]
    cls.__module__ = "builtins"
    cls._tensor_names = operator.saved
    cls._constant_names = operator.kept
    if not operator.variadic:
        formulas = tuple(operator.formulas)
        cls._saved_for = tuple(
            tuple(place for place, name in enumerate(formulas) if name in operator.users(saved))
            for saved in operator.saved
        )
    cls._attributes = operator.attributes
    cls._holomorphic = operator.holomorphic
    cls._fused = operator.fused
    cls._result_slots = {
        nr: 2 * operator.saved.index(name)
        for nr, name in enumerate(operator.gradients)
        if name in operator.saved
    }
    add_saved_attributes(cls)
    found: type[Node] = cls
    return found


class Careful:
    """Mixed into a node class where operands are complex, half precision or of mixed dtypes.

    Then the formulas are read in the recorded namespace even when nothing is recorded: one
    promotion logic. A fused rule in half precision is computed in float32 and rounded once.
    """

    def _run(self, grad: Any) -> tuple[Any, ...]:
        """As `Node._run`."""
        if getattr(self, "_fused", False) and getattr(grad, "dtype", None) in HALF:
            return run_wide(self, grad)
        with recording(False):
            wrapped = tuple(map(as_tensor, grad)) if isinstance(grad, tuple) else as_tensor(grad)
            node: Any = self
            outs = node._run_recording(wrapped)
        return tuple(None if out is None else out._array for out in outs)


def run_wide(node: Any, grad: Any) -> tuple[Any, ...]:
    """A fused rule in half precision: computed in float32 from widened values, rounded once."""
    plain: Any = type(node).__mro__[2]
    wide: Any = object.__new__(plain)
    wide.__dict__.update(node.__dict__)
    saved = node._saved if node._saved.__class__ is tuple else unpack(node, node._saved)
    wide._saved = tuple(
        v for i in range(0, len(saved), 2) for v in widened(node, *saved[i : i + 2])
    )
    outs = plain._run(wide, grad.astype(np.float32))
    return tuple(None if out is None else out.astype(grad.dtype) for out in outs)


def widened(node: Any, value: Any, version: Any) -> tuple[Any, Any]:
    """A saved value in float32, checked for writes, with a version that nobody moves."""
    if isinstance(value, np.ndarray):
        if version is not None and version[0].value != version[1]:
            stale_result(node, value, version)
        return value.astype(np.float32), None
    value = live(value, version, node)
    if isinstance(value, TensorBase) and value._array.dtype in HALF:
        return wrap(value._array.astype(np.float32)), 0
    return (
        (value, version) if isinstance(value, TensorBase) or value is None else (Number(value), 0)
    )


def as_tensor(value: Any) -> Any:
    """A Tensor of an array, None stays."""
    return None if value is None else wrap(value)


def careful(cls: type[Node]) -> type[Node]:
    """The careful twin of a node class: of the same name, and an instance of it."""
    found = _careful.get(cls)
    if found is None:
        found = type(cls.__name__, (Careful, cls), {"__module__": cls.__module__})
        _careful[cls] = found
    return found


def save(value: Any, tensor_like: Any) -> tuple[Any, int]:
    """A saved operand with its version; numbers become a Number, None stays."""
    if value is None:
        return None, 0
    if isinstance(value, TensorBase):
        return value, value._counter.value
    return Number(value), 0


def saved_values(
    operator: Operator, values: dict[str, Any], needs: dict[str, Any], outs: dict[str, Any]
) -> tuple[Any, ...]:
    """The flat saved tuple of Note [Saved values]."""
    flat: list[Any] = []
    for name in operator.saved:
        wanted = any(needs[o] for o in operator.users(name))
        if name in operator.gradients:
            flat += [outs[name]._array if wanted else None, None]
        else:
            flat += save((values | outs)[name] if wanted else None, None)
    return tuple(flat)


def kept_values(operator: Operator, values: dict[str, Any]) -> tuple[Any, ...]:
    """Shapes and numbers that the formulas name."""
    kept = []
    for name in operator.kept:
        if name in operator.parameters:
            kept.append(values[name])
        elif operator.variadic:
            kept.append(tuple(np.shape(t._array) for t in values[operator.operands[0]]))
        else:
            operand, _, what = name.rpartition("_")
            array = np.asarray(getattr(values[operand], "_array", 0))
            kept.append(array.size if what == "numel" else getattr(array, what))
    return tuple(kept)


def make_node(
    operator: Operator,
    cls: type[Node],
    values: dict[str, Any],
    needs: dict[str, Any],
    outs: dict[str, Any],
) -> Node:
    """A node for one call: edges, what is saved, what is kept; outputs are set by the caller."""
    node = cls()
    sources = values[operator.operands[0]] if operator.variadic else [
        values[name] for name in operator.formulas
    ]  # fmt: skip
    flags = needs["each"] if operator.variadic else [needs[n] for n in operator.formulas]
    pairs: list[tuple[Any, bool]] = list(zip(sources, flags, strict=True))
    node._next = tuple(gradient_edge(s) if needed else None for s, needed in pairs)
    nrs = tuple(s._nr if needed else 0 for s, needed in pairs)
    if any(nrs):
        node._nrs = nrs
    if None in node._next and len(node._next) > 1 and not operator.variadic:
        # A view that was not recorded requires a gradient and has nobody to give it to.
        edges = zip(operator.formulas, node._next, strict=True)
        needs = {name: edge is not None for name, edge in edges}
    if operator.saved:
        node._saved = saved_values(operator, values, needs, outs)
        hooks = thread.state.hooks
        if hooks:
            pack_inputs(node, hooks[-1])
    if operator.kept:
        node._constants = kept_values(operator, values)
    node._sequence = next_sequence()
    note(node)
    return node
