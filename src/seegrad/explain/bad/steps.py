"""Which step of a backward pass made the first NaN or infinity.

Note [Run again]: to be told of every step costs a pass two microseconds a node, so it is not. What
nodes have saved is kept until the pass is over; if a gradient that arrived is bad, the pass is run
again from the kept values, told of every step, with nobody to receive the gradients. Where a step
calls code of the user's, which should not run twice, the pass is told of its steps at once.
"""

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import numpy as np

from seegrad.arrays import dtypes
from seegrad.explain.bad.finite import has_nan, is_finite, worst
from seegrad.explain.places import Place
from seegrad.explain.record import Made
from seegrad.graph.backward import Pass, collect, execute, seed
from seegrad.graph.node import AccumulateGrad, Node
from seegrad.graph.observed import Observer
from seegrad.graph.packed import flat
from seegrad.graph.state import recording
from seegrad.graph.tensor import Number, TensorBase
from seegrad.rules.spec import REGISTRY

__all__ = ["BadStep", "Steps", "again", "is_plain"]


class BadStep:
    """A node that made a NaN or an infinity out of a good gradient."""

    __slots__ = (
        "arriving", "grad", "index", "made", "name", "nan", "operands", "operator", "overflowed",
        "slope", "turned", "value", "values", "zeroed_by",
    )  # fmt: skip

    name: str  # of the node: "SqrtBackward0"
    operator: str  # of the rule, or of the call
    made: Made | None  # the call that made the node
    index: tuple[int, ...]
    grad: Any  # what came in there, None where the shapes differ
    value: Any  # what came out
    slope: Any  # the local derivative there, None where it is not one number
    operands: tuple[tuple[str, Any], ...]  # the values that the node had saved, there
    values: tuple[Any, ...]  # the tensors and arrays saved
    turned: "tuple[str, Made | None] | None"  # the node that made a NaN of the infinity
    zeroed_by: "tuple[str, Made | None] | None"  # the node that sent a zero to where this is bad
    nan: bool
    overflowed: str | None  # the dtype in which a finite number had no room
    arriving: bool  # whether what came in was bad already, without a node that made it so

    @property
    def place(self) -> Place | None:
        """The line of the forward pass."""
        return None if self.made is None else self.made.place


class Steps(Observer):
    """Is told of the steps of one pass, and follows bad gradients to where they were born."""

    def __init__(self) -> None:
        self.origin: dict[Node, BadStep] = {}
        self.leaves: dict[Node, BadStep] = {}
        self.running: tuple[Node, Any] | None = None

    def before(self, node: Node, grad: Any, current: Pass) -> None:
        """Remembers what runs, in case it fails."""
        self.running = node, grad

    def after(self, node: Node, grad: Any, outs: Any, current: Pass) -> None:
        """Tests what a node returned."""
        self.running = None
        known = self.origin.get(node)
        if isinstance(node, AccumulateGrad):
            if known is not None:
                self.leaves[node] = known
            return
        for place, (following, out) in enumerate(zip(node._next, outs or (), strict=False)):
            if following is None or out is None:
                continue
            array = out._array if isinstance(out, TensorBase) else np.asarray(out)
            if is_finite(array):
                continue
            if known is None:
                known = born(node, place, grad, array, current)
            elif not known.nan and known.turned is None and has_nan(array):
                known.turned = operator_of(node), node._made
            self.origin.setdefault(following, known)

    def failed_at(self, current: Pass) -> BadStep | None:
        """Where the pass was ended by an error: what the node that ran had made."""
        if self.running is None:
            return None
        node, grad = self.running
        if not isinstance(node, AccumulateGrad) and node._builtin and node._saved is not None:
            # What the node itself refuses it refuses again.
            with np.errstate(all="ignore"), recording(False), suppress(RuntimeError):
                self.after(node, grad, node._run(raw_of(grad)), current)
        return next((self.origin[f] for f in node._next if f in self.origin), None)


def raw_of(grad: Any) -> Any:
    """A gradient, or several, as arrays."""
    if isinstance(grad, (list, tuple)):
        return tuple(raw_of(one) for one in grad)
    return grad._array if isinstance(grad, TensorBase) else grad


def is_plain(node: Node) -> bool:
    """Whether a node can run twice and nobody notices."""
    return node._hooks is None and node._builtin and node._saved.__class__ is tuple


def again(current: Pass, kept: Iterable[tuple[Node, Any]]) -> Steps:
    """Runs a pass again that is over (Note [Run again])."""
    steps = Steps()
    copy = Pass(keep=True, recorded=False, captures={})
    copy.needed = current.needed
    copy.observers, copy.order = (steps,), current.order
    collect(current.starts, copy)
    freed = [(node, saved) for node, saved in kept if node._saved is None]
    for node, saved in freed:
        node._saved = saved
    try:
        with np.errstate(all="ignore"), recording(False):
            seed(current.starts, current.seeds, copy)
            execute(current.order, copy)
    finally:
        for node, _ in freed:
            node._saved = None
    return steps


def born(node: Node, place: int, grad: Any, out: Any, current: Pass) -> BadStep:
    """What there is to know of a birth, while the node still has what it saved."""
    step = BadStep()
    step.name, step.made = node.name(), node._made
    step.operator = operator_of(node)
    step.index = worst(out)
    step.value = out[step.index]
    step.nan = has_nan(out)
    step.turned = step.zeroed_by = step.overflowed = None
    arriving = raw_of(grad)
    single = isinstance(arriving, np.ndarray)
    step.arriving = single and not is_finite(arriving)
    alike = single and arriving.shape == out.shape
    step.grad = arriving[step.index] if alike else None
    step.values, step.operands = saved_at(node, out.shape, step.index)
    step.slope = slope_at(node, place, arriving, out, step.index) if alike else None
    if step.slope is not None and np.isfinite(step.slope) and not step.nan:
        step.overflowed = dtypes.from_numpy(out.dtype).__repr__().removeprefix("torch.")
    if alike and step.grad == 0:
        step.zeroed_by = sender(node, current)
    return step


def operator_of(node: Node) -> str:
    """The name of the operator that a node belongs to."""
    name = type(node).__name__
    rule = NODES.get(name) or (node._made.name if node._made is not None else name)
    return rule.removesuffix("_scalar").removesuffix("_tensor")


NODES = {operator.node: operator.name for operator in REGISTRY.values()}
ELEMENTWISE = frozenset(o.node for o in REGISTRY.values() if o.kind == "elementwise")


def saved_at(
    node: Node, shape: tuple[int, ...], index: tuple[int, ...]
) -> tuple[tuple[Any, ...], tuple[tuple[str, Any], ...]]:
    """What a node has saved, and the values at an index where they go together."""
    if not node._builtin or not node._saved:
        return (), ()
    values, found = flat(node)[::2], []
    for name, value in zip(type(node)._tensor_names, values, strict=False):
        array = value if isinstance(value, np.ndarray) else getattr(value, "_array", None)
        if array is None:
            continue
        if isinstance(value, Number) or np.ndim(array) == 0:
            found.append((name, np.asarray(array)[()]))
        elif array.shape == shape:
            found.append((name, array[index]))
    return tuple(values), tuple(found)


def slope_at(node: Node, place: int, grad: Any, out: Any, index: tuple[int, ...]) -> Any:
    """The local derivative: what the rule makes of a gradient of ones."""
    if type(node).__name__ not in ELEMENTWISE:
        return None
    with np.errstate(all="ignore"), recording(False):
        found = node._run(np.ones_like(grad))[place]
    return found[index] if found is not None and found.shape == out.shape else None


def sender(node: Node, current: Pass) -> tuple[str, Made | None] | None:
    """The node from which a node's gradient came, where that is one."""
    found = [one for one in current.order if node in one._next]
    return (operator_of(found[0]), found[0]._made) if len(found) == 1 else None
