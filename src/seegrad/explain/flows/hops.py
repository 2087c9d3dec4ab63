"""How large gradients are on their way: some passes of every line are measured node by node.

Note [Hops]: of the passes that a line runs, the first, second, fourth, eighth ... are measured, so
that a training loop pays for a dozen of its steps. A hop is one node: how large the gradient was
that came in, how large those that went out, and which share of it was stopped.
"""

import weakref
from collections import Counter
from itertools import zip_longest
from typing import Any

import numpy as np

from seegrad.explain.places import Place, here
from seegrad.explain.record import Made, made_of
from seegrad.graph.asked import Entry
from seegrad.graph.backward import Pass
from seegrad.graph.node import AccumulateGrad, Node
from seegrad.graph.observed import Listener, Observer

__all__ = ["Hop", "Hops", "Measured", "Reached"]

LONGEST = 20_000  # hops of one pass
KEPT = 8  # measured passes of one line: the first, and the last ones
STOPPED = 0.01  # a gradient that shrinks by this is stopped


class Hop:
    """One node of a measured pass."""

    __slots__ = ("incoming", "made", "name", "outgoing", "piece", "stopped", "units")

    def __init__(self, name: str, made: Made | None, incoming: float) -> None:
        self.name = name
        self.made = made
        self.incoming = incoming  # root of the mean square
        self.outgoing: list[float] = []
        self.piece = 0.0  # the largest of the parts that came in, before they were added up
        self.stopped = 0.0  # share of the entries that hardly anything comes out of
        self.units = 0.0  # share of the units, entries of the last axis, that are stopped always

    def __repr__(self) -> str:
        return f"<{self.name} {self.incoming:.1e} -> {self.outgoing}>"


class Reached:
    """A leaf of a measured pass."""

    __slots__ = (
        "gradient", "highest", "is_one_unit", "made", "norm", "piece", "ref", "shape", "size",
        "value",
    )  # fmt: skip

    def __init__(self, variable: Any, gradient: Any) -> None:
        self.ref = weakref.ref(variable)
        self.made = made_of(variable)
        self.shape = variable._array.shape
        self.size = variable._array.size
        self.gradient = size_of(gradient)
        self.norm = self.gradient * self.size**0.5
        self.piece = 0.0  # as of a hop
        self.value = size_of(variable._array)
        rows = variable._array
        # Whether all rows of a matrix are equal.
        self.is_one_unit = rows.ndim == 2 and len(rows) > 1 and is_same(rows[1:], rows[0])
        self.highest = float(variable._array.max()) if self.size else 0.0

    @property
    def gain(self) -> float:
        """By how much a matrix lengthens what it is multiplied with, about."""
        return self.value * max(self.shape[-2:]) ** 0.5 if len(self.shape) == 2 else 0.0


class Measured:
    """One pass: its hops from the loss to the leaves."""

    __slots__ = ("count", "hops", "leaves", "loss", "pieces", "place")

    def __init__(self, place: Place | None, count: int) -> None:
        self.place = place
        self.count = count  # it was the n-th of its line
        self.hops: list[Hop] = []
        self.leaves: list[Reached] = []
        self.loss: float | None = None
        self.pieces: dict[Node, float] = {}  # for who has not run yet


class Hops(Observer):
    """Measures passes."""

    def __init__(self) -> None:
        self.counts: Counter[Place | None] = Counter()
        self.measured: dict[Place | None, list[Measured]] = {}
        self.running: dict[int, Measured] = {}
        self.last: Measured | None = None

    def listener(self, entry: Entry) -> Listener | None:
        """Who notes the value of the loss."""
        return self.noted if entry.name == "backward" else None

    def noted(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """The loss of the pass that has just ended."""
        if self.last is not None and args and args[0]._array.size == 1:
            self.last.loss = float(args[0]._array.real.reshape(()))
        self.last = None

    def began(self, current: Pass) -> bool:
        """Whether this pass is measured."""
        place = here(3)
        self.counts[place] += 1
        count = self.counts[place]
        if count & (count - 1):
            return False
        self.running[id(current)] = Measured(place, count)
        return True

    def before(self, node: Node, grad: Any, current: Pass) -> None:
        """A gradient arrives at a leaf."""
        if node.__class__ is AccumulateGrad and grad[1] is not None:
            measured = self.running.get(id(current))
            if measured is not None and len(measured.leaves) < LONGEST:
                reached = Reached(node.variable, array_of(grad[1]))
                reached.piece = measured.pieces.pop(node, 0.0)
                measured.leaves.append(reached)

    def after(self, node: Node, grad: Any, outs: Any, current: Pass) -> None:
        """A node has run."""
        measured = self.running.get(id(current))
        if measured is None or outs is None or len(measured.hops) >= LONGEST:
            return
        incoming = array_of(grad)
        hop = Hop(node.name(), node._made, size_of(incoming))
        pieces = measured.pieces
        hop.piece = pieces.pop(node, 0.0)
        parts = outs if isinstance(outs, (tuple, list)) else (outs,)
        for out, following in zip_longest(parts, node._next):
            size = size_of(array_of(out))
            hop.outgoing.append(size)
            if following is not None and size > pieces.get(following, 0.0):
                pieces[following] = size
        measured.hops.append(hop)
        if incoming is not None and len(hop.outgoing) == 1:
            out = array_of(outs[0] if isinstance(outs, (tuple, list)) else outs)
            if out is not None and out.shape == incoming.shape:
                self.note_stopped(hop, incoming, out)

    def note_stopped(self, hop: Hop, incoming: Any, out: Any) -> None:
        """Which entries an elementwise node lets hardly anything through."""
        alive = incoming != 0
        stopped = np.abs(out) <= STOPPED * np.abs(incoming)
        count = int(alive.sum())
        hop.stopped = float((stopped & alive).sum()) / count if count else 0.0
        if incoming.ndim > 1 and count:
            axes = tuple(range(incoming.ndim - 1))
            hop.units = float((stopped | ~alive).all(axis=axes).mean())

    def ended(self, current: Pass) -> None:
        """A measured pass is kept."""
        measured = self.last = self.running.pop(id(current), None)
        if measured is not None:
            measured.pieces.clear()
            kept = self.measured.setdefault(measured.place, [])
            if len(kept) >= KEPT:
                del kept[1]
            kept.append(measured)


def is_same(rows: Any, first: Any) -> bool:
    """Whether rows are equal but for rounding."""
    return bool(np.allclose(rows, first, rtol=1e-4, atol=1e-7))


def array_of(grad: Any) -> Any:
    """A gradient as an array: of a Tensor, or the first one of several."""
    if isinstance(grad, list):
        grad = next((one for one in grad if one is not None), None)
    if grad is None:
        return None
    return np.asarray(getattr(grad, "_array", grad))


def size_of(array: Any) -> float:
    """The root of the mean square; 0 for nothing."""
    if array is None or not array.size:
        return 0.0
    with np.errstate(all="ignore"):
        flat = array.reshape(-1).astype(np.float64 if array.dtype.kind != "c" else complex)
        return float(np.sqrt(abs(np.vdot(flat, flat)) / array.size))
