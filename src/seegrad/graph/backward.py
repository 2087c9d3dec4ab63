"""The loop: gradients from the roots to the leaves.

Nodes are collected, sorted by descending sequence number (Note [Sequence numbers]) and run; an
AccumulateGrad runs as soon as all its gradients are there. What is common to all nodes happens
here and never in a rule: summing a broadcast gradient, casting, checking, undefined gradients,
hooks, accumulation. Gradients are arrays, and Tensors under `create_graph`.
"""

import itertools
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from heapq import heapify, heappop, heappush
from operator import attrgetter
from sys import getrefcount
from typing import Any

import numpy as np

from seegrad.arrays import raw
from seegrad.graph.accumulate import accumulate
from seegrad.graph.anomaly import explain, watched
from seegrad.graph.hooks import (
    retain,
    run_posthooks,
    run_prehooks,
    run_tensor_hooks,
    taken,
)
from seegrad.graph.levels import carries
from seegrad.graph.node import AccumulateGrad, Node
from seegrad.graph.observed import OBSERVERS, Observer, began, ended, observed
from seegrad.graph.recorded import recorded
from seegrad.graph.state import ANOMALY, ERRORS, IGNORED, thread
from seegrad.graph.tensor import TensorBase

__all__ = ["Captures", "run_backward"]

ndarray = np.ndarray
by_sequence = attrgetter("_sequence")

next_number = itertools.count().__next__

# Where `autograd.grad` wants a gradient: node -> [(number of its output, place in the result)].
Captures = dict[Node, list[tuple[int, int]]]


class Pass:
    """One backward pass: what it keeps, what it captures, what is on its way."""

    __slots__ = (
        "buffers",
        "callbacks",
        "captured",
        "captures",
        "keep",
        "needed",
        "notes",
        "number",
        "observers",
        "order",
        "outer",
        "pending",
        "recorded",
        "seeds",
        "starts",
    )

    def __init__(self, keep: bool, recorded: bool, captures: Captures | None) -> None:
        self.number = next_number()
        self.keep = keep
        self.recorded = recorded
        self.captures = captures
        self.callbacks: list[Callable[[], Any]] = []  # called when all nodes have run
        self.observers: tuple[Observer, ...] = ()  # who is told of each step (Note [Observed])
        self.outer: Pass | None = None  # inside of which this one runs
        self.starts: Sequence[tuple[Node, int]] = ()  # the roots and the numbers of their outputs
        self.seeds: Sequence[TensorBase] = ()  # their gradients
        self.captured: dict[int, Any] = {}
        self.needed: set[Node] | None = None
        self.order: list[Node] = []
        self.notes: dict[Any, Any] = {}  # what hooks on several tensors have seen of this pass
        self.buffers: dict[Node, Any] = {}
        # AccumulateGrad -> [gradients still to come, sum so far, whether the sum is fresh]
        self.pending: dict[Node, list[Any]] = {}

    @property
    def roots(self) -> tuple[Node, ...]:
        """The nodes with which this pass begins."""
        return tuple([node for node, _ in self.starts])

    def leaves(self) -> set[Node]:
        """The AccumulateGrad nodes that this pass runs, or captures the gradients of."""
        return set(self.pending) if self.needed is None else self.pending.keys() & self.needed

    def visits(self, nodes: Iterable[Node | None]) -> list[bool]:
        """Whether this pass runs each of the nodes, or captures what arrives there."""
        run = self.leaves().union(self.order)
        return [node in run for node in nodes]


def run_backward(
    roots: Sequence[tuple[Node, int]],
    grads: Sequence[TensorBase],
    *,
    keep: bool,
    create_graph: bool,
    captures: Captures | None = None,
    targets: Iterable[Node] | None = None,
) -> dict[int, Any]:
    """Runs the graph above `roots`; returns the captured gradients by place.

    With `captures` nothing is accumulated; with `targets` only paths to these nodes run.
    """
    state = thread.state
    if state.depth >= DEEPEST:
        options: dict[str, Any] = {"keep": keep, "create_graph": create_graph}
        options |= {"captures": captures, "targets": targets}
        found: dict[int, Any] = in_new_thread(run_backward, roots, grads, **options)
        return found
    before, outer, pairs = state.mode, state.current, state.hooks.copy()
    # Gradients carry tangents as other tensors do, so they are tensors then (Note [Levels]).
    current = Pass(keep, create_graph or carries(), captures)
    current.outer = outer
    current.starts = roots
    current.seeds = grads
    order = collect(roots, current)
    if captures is not None or targets is not None:
        wanted = captures if captures is not None else targets or ()
        order = restrict(order, roots, current, wanted)
    current.order = order
    state.current = current
    state.mode = state.on if create_graph else 0
    state.depth += 1
    if OBSERVERS:
        began(current)
    try:
        before_errors = ERRORS.set(IGNORED)
        try:
            seed(roots, grads, current)
            execute(order, current)
        finally:
            ERRORS.reset(before_errors)
        for callback in current.callbacks:  # grows while it is walked
            callback()
    finally:
        if OBSERVERS:
            ended(current)
        state.depth -= 1
        if state.hooks != pairs:  # someone left hooks on saved tensors behind, or took them away
            state.hooks = pairs
            state.refresh()
        state.mode = state.on if before else 0
        state.current = outer
    return current.captured


# A custom backward may call backward: as deep as this in one thread, whose stack is limited.
DEEPEST = 30


def in_new_thread(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Calls a function in a thread of its own, with a new stack, and waits for it."""
    outcome: list[Any] = []
    state = thread.state

    def work() -> None:
        thread.state.inherit(state)
        try:
            outcome.extend((function(*args, **kwargs), None))
        except BaseException as error:  # raised again below, in the caller's thread
            outcome.extend((None, error))

    worker = threading.Thread(target=work)
    worker.start()
    worker.join()
    result, error = outcome
    if error is not None:
        raise error
    return result


def collect(roots: Sequence[tuple[Node, int]], current: Pass) -> list[Node]:
    """All nodes above the roots in the order of execution, and how often each leaf is reached."""
    order: list[Node] = []
    seen: set[Node] = set()
    pending = current.pending
    for node, _ in roots:
        if node.__class__ is AccumulateGrad:
            pending.setdefault(node, [0, None, False])[0] += 1
        elif node not in seen:
            seen.add(node)
            order.append(node)
    for node in order:  # grows while it is walked
        for following in node._next:
            if following is None:
                continue
            if following.__class__ is AccumulateGrad:
                entry = pending.get(following)
                if entry is None:
                    pending[following] = [1, None, False]
                else:
                    entry[0] += 1
            elif following not in seen:
                seen.add(following)
                order.append(following)
    order.sort(key=by_sequence, reverse=True)
    return by_dependencies(order) if Node._renumbered else order


def by_dependencies(order: list[Node]) -> list[Node]:
    """The order where numbers set by hand may not be one: a node waits for all its gradients."""
    waiting = Counter(following for node in order for following in node._next)
    places = {node: place for place, node in enumerate(order)}
    ready = [(-node._sequence, places[node], node) for node in order if not waiting[node]]
    heapify(ready)
    found = []
    while ready:
        node = heappop(ready)[2]
        found.append(node)
        for following in node._next:
            waiting[following] -= 1
            if following in places and not waiting[following]:
                heappush(ready, (-following._sequence, places[following], following))
    return found


def restrict(
    order: list[Node], roots: Sequence[tuple[Node, int]], current: Pass, targets: Iterable[Node]
) -> list[Node]:
    """Only the nodes from which a target is reached; the others' gradients are not wanted."""
    needed = set(targets)
    for node in reversed(order):
        if node not in needed and any(following in needed for following in node._next):
            needed.add(node)
    current.needed = needed
    kept = [node for node in order if node in needed]
    pending = current.pending
    for entry in pending.values():
        entry[0] = 0
    for source in (*(node for node, _ in roots), *(f for node in kept for f in node._next)):
        if source in pending:
            pending[source][0] += 1
    return kept


def seed(roots: Sequence[tuple[Node, int]], grads: Sequence[TensorBase], current: Pass) -> None:
    """Hands the first gradients to the roots."""
    for (node, nr), grad in zip(roots, grads, strict=True):
        value = grad if current.recorded else grad._array
        kind = expected(node, nr)[1]
        if kind is not None and kind is not grad._array.dtype:
            value = cast(value, kind)
        if len(roots) == 1 and node._shape is not None and node.__class__ is not AccumulateGrad:
            current.buffers[node] = value
        else:
            deliver(node, nr, value, current)


def expected(node: Node, nr: int) -> tuple[Any, Any]:
    """Shape and dtype of the gradient of one output of a node."""
    if node._shape is not None:
        return node._shape, node._dtype
    return (node._shapes[nr], node._dtypes[nr]) if node._shapes else (None, None)


def execute(order: list[Node], current: Pass) -> None:
    """Runs the nodes in order.

    Written out for the usual node: one gradient, an array, nothing hung on it, inputs that are the
    first outputs of their nodes. Whatever is different goes to `run_special` and `deliver`.
    """
    buffers, pending, keep = current.buffers, current.pending, current.keep
    run = run_watched if ANOMALY.enabled or current.observers else run_special
    # Then nothing is captured either.
    usual = not current.recorded and current.needed is None and run is run_special
    for node in order:
        grad = buffers.pop(node, None)
        outs: tuple[Any, ...] | None
        if usual and grad.__class__ is ndarray and node._hooks is None:
            outs = node._run(grad)
        else:
            outs = run(node, grad, current)
            if outs is None:
                continue
        if not keep:
            node._saved = None
        if node._nrs is not None:
            deliver_all(node, outs, current)
            continue
        place = 0
        for following in node._next:  # counted, because `zip` takes 0.1 us
            out = outs[place]
            place += 1
            if following is None:
                continue
            if out is None or (out.shape != following._shape or out.dtype is not following._dtype):
                out = conform(node, following, 0, out, current)
                if out is None or following._shape is None:
                    deliver(following, 0, out, current)
                    continue
            if following.__class__ is not AccumulateGrad:
                earlier = buffers.get(following)
                buffers[following] = out if earlier is None else earlier + out
                continue
            entry = pending[following]
            total = entry[1]
            if total is None:
                # An expanded gradient shows its memory many times: never added to in place.
                fresh = (out.__class__ is ndarray and out is not grad) and (
                    out.base is None or (out.flags.forc and is_alone(out.base, grad))
                )
                if usual and entry[0] == 1:  # the only one
                    accumulate(following, out, fresh, False)
                    continue
                entry[1], entry[2] = out, fresh
            elif entry[2]:
                total += out
            else:
                entry[1] = total = total + out
                entry[2] = total.__class__ is ndarray
            entry[0] -= 1
            if not entry[0]:
                if usual:
                    accumulate(following, entry[1], entry[2], False)
                else:
                    finish(following, entry, current)


def is_alone(base: Any, grad: Any) -> bool:
    """Whether only the view at hand, and `grad`, look at the memory of `base`.

    Such are gradients that were made and then transposed; a leaf takes them (Note [Fresh]).
    """
    if base is grad:
        return getrefcount(base) <= ALONE.as_grad
    if grad.__class__ is ndarray and grad.base is base:
        return getrefcount(base) <= ALONE.viewed and getrefcount(grad) <= ALONE.viewing
    return base.__class__ is ndarray and getrefcount(base) <= ALONE.apart


class Alone:
    """How many references an array has when the loop alone holds it.

    Counted once, in the same constellation, because interpreters differ in what they count.
    """

    def __init__(self) -> None:
        grad = np.empty((2, 2))
        out = grad.T
        self.as_grad = self.count(out.base, grad)[0]
        grad = out
        out = grad.T
        self.viewed, self.viewing = self.count(out.base, grad)
        grad = np.empty((2, 2))
        out = np.empty((2, 2)).T
        self.apart = self.count(out.base, grad)[0]

    @staticmethod
    def count(base: Any, grad: Any) -> tuple[int, int]:
        """Counts as `is_alone` does."""
        return getrefcount(base), getrefcount(grad)


ALONE = Alone()


def deliver_all(node: Node, outs: tuple[Any, ...], current: Pass) -> None:
    """Hands on the gradients of a node whose inputs are not all first outputs."""
    numbers = node._nrs or (0,) * len(node._next)
    for following, out, nr in zip(node._next, outs, numbers, strict=True):
        if following is not None:
            deliver(following, nr, conform(node, following, nr, out, current), current)


def deliver(node: Node, nr: int, grad: Any, current: Pass) -> None:
    """Adds a gradient to what waits for output `nr` of `node`."""
    entry = current.pending.get(node)
    if entry is not None:
        entry[0] -= 1
        if grad is not None:
            entry[2] = False
            entry[1] = grad if entry[1] is None else entry[1] + grad
        if entry[0] == 0:
            finish(node, entry, current)
        return
    if grad is None:
        return
    if node._shape is not None:
        earlier = current.buffers.get(node)
        current.buffers[node] = grad if earlier is None else earlier + grad
        return
    slots = current.buffers.setdefault(node, [None] * node._outputs)
    slots[nr] = grad if slots[nr] is None else slots[nr] + grad


def finish(leaf: Any, entry: list[Any], current: Pass) -> None:
    """All gradients of a leaf are there: captures or accumulates their sum."""
    step = conclude_watched if ANOMALY.enabled else conclude
    if current.observers:
        observed(step, leaf, entry, current)
    else:
        step(leaf, entry, current)


def conclude_watched(leaf: Any, entry: list[Any], current: Pass) -> None:
    """As `conclude`, under anomaly mode."""
    watched(leaf, conclude, leaf, entry, current)


def conclude(leaf: Any, entry: list[Any], current: Pass) -> None:
    """As `finish`, told or not."""
    grad = entry[1]
    if current.captures is not None:
        if leaf in current.captures:
            hooks = leaf.variable._hooks
            if hooks is not None:
                grad = run_tensor_hooks(hooks.tensor.get(0, {}), grad)
            capture(current, leaf, 0, grad)
        return
    hooked = leaf._hooks is not None or leaf.variable._hooks is not None
    if (grad is not None or hooked) and (current.needed is None or leaf in current.needed):
        accumulate(leaf, grad, entry[2], current.recorded)


def capture(current: Pass, node: Node, nr: int, grad: Any) -> None:
    """Keeps a gradient that the caller asked for."""
    assert current.captures is not None
    for wanted, place in current.captures.get(node, ()):
        if wanted == nr and grad is not None:
            current.captured[place] = grad


def run_special(node: Node, grad: Any, current: Pass) -> tuple[Any, ...] | None:
    """One node with everything: hooks, captures, undefined gradients, several outputs."""
    captured = current.captures is not None and node in current.captures
    if node._hooks is None and node._shape is not None and grad is not None and not captured:
        return node._run_recording(grad) if current.recorded else node._run(grad)
    grads = [grad] if node._shape is not None else (grad or [None] * node._outputs)
    hooks, mode = node._hooks, thread.state.mode
    runs_on = captured and any(following in (current.needed or ()) for following in node._next)
    if runs_on:  # as in PyTorch, tensor hooks then come too late for what is captured
        for nr, value in enumerate(grads):
            capture(current, node, nr, value)
    if hooks is not None:
        for nr, found in hooks.tensor.items():
            grads[nr] = run_tensor_hooks(found, grads[nr])
        for nr, reference in hooks.retains.items():
            retain(reference, grads[nr], current.recorded)
    if captured and not runs_on:
        for nr, value in enumerate(grads):
            capture(current, node, nr, value)
        return None
    if hooks is not None and hooks.pre:
        grads = list(run_prehooks(hooks.pre, tuple(grads)))
        if not current.recorded:
            grads = [taken(g) for g in grads]
    thread.state.mode = mode  # a hook may have changed it for itself
    # As in PyTorch, hooks that come while the node runs are not shown what went in.
    shown = tuple(grads) if hooks is not None and hooks.post else (None,) * len(grads)
    outs = run_node(node, grads, current.recorded)
    if hooks is not None and hooks.post:
        if node._builtin:
            outs = tuple(as_asked(node, outs, current))
        outs = run_posthooks(hooks.post, outs, shown)
        if not current.recorded:
            outs = tuple(taken(out) for out in outs)
    thread.state.mode = mode
    return outs


def as_asked(node: Node, outs: tuple[Any, ...], current: Pass) -> Iterator[Any]:
    """What PyTorch's own nodes return: summed to the input's shape, None where nobody asked."""
    numbers = node._nrs or (0,) * len(node._next)
    for following, nr, out in zip(node._next, numbers, outs, strict=True):
        yield None if following is None else conform(node, following, nr, out, current)


def run_watched(node: Node, grad: Any, current: Pass) -> tuple[Any, ...] | None:
    """As `run_special`, under anomaly mode or observed."""
    step = run_anomalous if ANOMALY.enabled else run_special
    outs: tuple[Any, ...] | None
    outs = observed(step, node, grad, current) if current.observers else step(node, grad, current)
    return outs


def run_anomalous(node: Node, grad: Any, current: Pass) -> tuple[Any, ...] | None:
    """As `run_special`, under anomaly mode."""
    outs: tuple[Any, ...] | None = watched(node, run_special, node, grad, current)
    return outs


def run_node(node: Node, grads: list[Any], recording: bool) -> tuple[Any, ...]:
    """Runs a node on one or several gradients, some of which may be undefined."""
    if node._builtin and all(g is None for g in grads):
        return (None,) * len(node._next)
    grad = grads[0] if node._shape is not None else tuple(grads)
    return node._run_recording(grad) if recording else node._run(grad)


def cast(value: Any, kind: Any) -> Any:
    """A gradient in the dtype that the next node expects, real where that is real."""
    if isinstance(value, TensorBase):
        if value._array.dtype == kind:
            return value
        if value._array.dtype.kind == "c" and kind.kind != "c":
            value = recorded.real(value)
        return recorded.to_copy(value, kind) if value._array.dtype != kind else value
    if value.dtype.kind == "c" and kind.kind != "c":
        value = value.real
    return value.astype(kind, copy=False)


def conform(node: Node, following: Node, nr: int, out: Any, current: Pass) -> Any:
    """A gradient in the shape and dtype that the next node expects, or PyTorch's error."""
    if out is None:
        return None
    shape, kind = following._shape, following._dtype
    if shape is None:  # of several outputs
        shape, kind = expected(following, nr)
        if shape is None:
            return out
    sizes = out.shape
    if sizes != shape:
        if not expandable(shape, sizes):
            raise invalid_shape(node, following, nr, sizes, shape)
        out = recorded.sum_to(out, shape) if current.recorded else raw.sum_to(out, shape)
    found = out._array.dtype if current.recorded else out.dtype
    if kind is None:  # a leaf that was told to take any
        kind = following.variable._array.dtype if node._builtin else found  # type: ignore[attr-defined]
    if found is not kind:
        if not node._builtin:
            check_kinds(found, kind)
        out = cast(out, kind)
    return out


@lru_cache(maxsize=4096)
def expandable(shape: tuple[int, ...], to: tuple[int, ...]) -> bool:
    """Whether broadcasting `shape` gives `to`."""
    if len(shape) > len(to):
        return False
    tail = to[len(to) - len(shape) :]
    return all(a == b or a == 1 for a, b in zip(shape, tail, strict=True))


def invalid_shape(
    node: Node, following: Node, nr: int, got: tuple[int, ...], wanted: tuple[int, ...]
) -> RuntimeError:
    """PyTorch's error for a gradient of the wrong shape."""
    if ANOMALY.enabled:
        explain(node)
    numbers = node._nrs or (0,) * len(node._next)
    index = next(
        i
        for i, (n, k) in enumerate(zip(node._next, numbers, strict=True))
        if n is following and k == nr
    )
    error = RuntimeError(
        f"Function {node.name()} returned an invalid gradient at index {index} - got "
        f"{list(got)} but expected shape compatible with {list(wanted)}"
    )
    return node._blame(error, index)


def check_kinds(found: Any, kind: Any) -> None:
    """A custom backward returns a complex gradient for complex inputs only; or it is floating."""
    if found.kind in "biuc" and (found.kind == "c") != (kind.kind == "c"):
        raise RuntimeError(
            "Expected isFloatingType(grad.scalar_type()) || (input_is_complex == grad_is_complex) "
            "to be true, but got false.  (Could this error message be improved?  If so, please "
            "report an enhancement request to PyTorch.)"
        )
