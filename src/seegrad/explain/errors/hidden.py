"""A detective for writes that no version counter of the saved value sees.

Note [Hidden writes]: a node notices that its saved value was written to by the counter that the
value had. Whoever writes through `.data`, through NumPy, or through a second tensor over the same
memory counts elsewhere. So every write is noted with the memory it went to and with a number from
the same sequence as the nodes'; before a backward pass its nodes are compared with the writes: one
that came after the node, to memory that it had saved, on another counter, was not meant.
Whether NumPy wrote is found by looking at shared memory line by line (explain/source/lines.py).
"""

import weakref
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from seegrad.explain.places import Place, here
from seegrad.explain.record import EXITS, Made, is_write, may_write
from seegrad.explain.report import Finding
from seegrad.explain.session import Detective, Session
from seegrad.explain.source.lines import Lines
from seegrad.graph.asked import Entry
from seegrad.graph.backward import Pass
from seegrad.graph.counters import NEVER
from seegrad.graph.node import Node, next_sequence
from seegrad.graph.observed import Listener
from seegrad.graph.packed import flat
from seegrad.graph.tensor import TensorBase

__all__ = ["HiddenWrites", "overlap", "weighed"]

# What hands out or takes in memory that NumPy sees too.
SHARES = frozenset(["from_numpy", "as_tensor", "asarray", "frombuffer", "numpy", "__array__"])
WAYS = {
    "hidden-write-data": "through .data",
    "hidden-write-numpy": "through NumPy, with which it shares memory",
}


class Written(NamedTuple):
    """One write: which bytes, on which counter, when, where, how."""

    low: int
    high: int
    counter: Any
    number: int
    place: Place | None
    kind: str


def owner_of(array: Any) -> Any:
    """The array that owns the memory."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def piece(array: Any, index: Any) -> Any:
    """The part of an array that an index without tensors shows; else the whole array."""
    parts = index if isinstance(index, tuple) else (index,)
    if any(part is not None and part.__class__ not in BASIC for part in parts):
        return array
    found = array[(*parts, ...)] if Ellipsis not in parts else array[index]
    return found if isinstance(found, np.ndarray) else array


BASIC = (int, slice, type(...))


def span(array: Any) -> tuple[int, int]:
    """The addresses of the first byte and behind the last one."""
    start: int = array.__array_interface__["data"][0]
    steps = [(n - 1) * step for n, step in zip(array.shape, array.strides, strict=True)]
    low = start + sum(min(step, 0) for step in steps)
    return low, start + sum(max(step, 0) for step in steps) + array.itemsize


def overlap(array: Any, other: Any) -> bool:
    """Whether two arrays lie in the same memory, as far as first and last bytes tell."""
    if owner_of(array) is not owner_of(other) or not array.size or not other.size:
        return False
    low, high = span(array)
    start, end = span(other)
    return start < high and low < end


def weighed(found: Iterable[Finding], session: Session) -> list[Finding]:
    """Numbers come out wrong: where a failed assertion ended the run, that is why."""
    failed = isinstance(session.error, AssertionError)
    return [replace(one, weight=3) if failed else one for one in found]


class HiddenWrites(Detective):
    """Finds saved values that were changed behind the back of their counter."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        # Owner's id -> the owner, and the last write from each line.
        self.writes: dict[int, tuple[Any, dict[Any, Written]]] = {}
        self.swaps: list[tuple[Any, int, Place | None]] = []  # `x.data = y`
        self.found: dict[Place | None, Finding] = {}
        self.lines = Lines(self.numpy_wrote)

    # What is heard

    def listener(self, entry: Entry) -> Listener | None:
        """Notes writes, and what shares memory with NumPy."""
        name = entry.name
        if name == "data.__set__":
            return self.swapped
        if name == "Optimizer.step":
            return self.stepped
        if name in SHARES:
            return self.shared
        if name == "requires_grad_" or name in EXITS:
            return None
        if is_write(name) or name in ("__setitem__", "apply") or may_write(entry):
            return partial(self.wrote, name == "__setitem__")
        return None

    def wrote(self, item: bool, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """A write in place: the tensor written to is what comes back, or is subscripted."""
        if item or any(result is arg for arg in args):
            tensor = args[0] if item else result
            if isinstance(tensor, TensorBase) and tensor._counter is not NEVER:
                array = tensor._array
                self.note(tensor, here(1), piece(array, args[1]) if item else array)

    def stepped(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """`optimizer.step()`."""
        place = here(1)
        for group in args[0].param_groups:
            for parameter in group["params"]:
                self.note(parameter, place, parameter._array)

    def swapped(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """`x.data = y`."""
        self.swaps = [swap for swap in self.swaps if swap[0]() is not None][-255:]
        self.swaps.append((weakref.ref(args[0]), next_sequence(), here(1)))

    def shared(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """Memory that NumPy sees too is looked at from now on."""
        array = result if isinstance(result, np.ndarray) else next(iter(args), None)
        tensor = args[0] if isinstance(result, np.ndarray) else result
        if isinstance(array, np.ndarray) and isinstance(tensor, TensorBase) and array.size:
            if owner_of(array) is owner_of(tensor._array):
                self.lines.watch(array)

    def note(self, tensor: Any, place: Place | None, array: Any) -> None:
        """Notes a write of the library's into a tensor, or a part of it."""
        self.lines.refresh(array)
        kind = "hidden-write-numpy" if came_from(tensor._made, SHARES) else "hidden-write-data"
        self.add(array, tensor._counter, place, kind)

    def numpy_wrote(self, array: Any, place: Place | None) -> None:
        """Notes a write of NumPy's."""
        self.add(array, None, place, "hidden-write-numpy")

    def add(self, array: Any, counter: Any, place: Place | None, kind: str) -> None:
        """Keeps the last write from each line to each piece of memory."""
        if not array.size:
            return
        owner = owner_of(array)
        known = self.writes.get(id(owner))
        if known is None or known[0]() is not owner:
            if len(self.writes) > 4096:
                self.writes = {key: one for key, one in self.writes.items() if one[0]()}
            known = self.writes[id(owner)] = (weakref.ref(owner), {})
        low, high = span(array)
        line = (place, low, high, id(counter))
        if len(known[1]) < 256 or line in known[1]:
            known[1][line] = Written(low, high, counter, next_sequence(), place, kind)

    # What is compared

    def began(self, current: Pass) -> bool:
        """Compares what the nodes of a pass had saved with what was written since."""
        self.lines.look()
        if self.writes or self.swaps:
            for node in current.order:
                for tensor, array, counter in saved_of(node):
                    self.compare(node, tensor, array, counter)
        return False

    def compare(self, node: Node, tensor: Any, array: Any, counter: Any) -> None:
        """Looks for writes to one saved value."""
        owner = owner_of(array)
        known = self.writes.get(id(owner))
        if known is not None and known[0]() is owner:
            low, high = span(array)
            for write in known[1].values():
                hidden = write.number > node._sequence and write.counter is not counter
                if hidden and write.low < high and low < write.high:
                    self.report(node, array, write.place, write.kind)
        for swapped, number, place in self.swaps:
            if number > node._sequence and tensor is not None and swapped() is tensor:
                self.report(node, array, place, "hidden-write-data")

    def report(self, node: Node, array: Any, place: Place | None, kind: str) -> None:
        """Keeps what was found, once for each line."""
        if place in self.found:
            return
        made: Made | None = node._made
        says = (
            f"this line changes a tensor of the shape {list(array.shape)} {WAYS[kind]}, after "
            f"{node.name()} had saved it: the gradient comes out wrong, and nothing notices. Make "
            "a new tensor, or write before it is used"
        )
        saved = () if made is None or made.place is None else (
            f"saved at {made.place}: `{made.place.text}`",
        )  # fmt: skip
        ran = here(1)
        evidence = (*saved, *(() if ran is None else (f"its backward ran at {ran}",)))
        self.found[place] = Finding(kind, says, place, evidence, weight=2)

    def findings(self) -> Iterable[Finding]:
        """The lines that wrote, in the order in which their harm was seen."""
        self.lines.stop()
        return weighed(self.found.values(), self.session)


def came_from(made: Made | None, names: frozenset[str]) -> bool:
    """Whether a tensor shows memory that one of these calls handed out, as far as is known."""
    for _ in range(16):
        if made is None or made.name in names:
            return made is not None
        if made.name == "data.__get__" or not made.parents:
            return False
        made = made.parents[0]
    return False


def saved_of(node: Node) -> Iterator[tuple[Any, Any, Any]]:
    """What a node has saved: the tensor where it is one, the array, the counter."""
    if not node._saved:
        return
    values = flat(node)
    for place, value in enumerate(values):
        if isinstance(value, TensorBase):
            yield value, value._array, value._counter
        elif isinstance(value, np.ndarray) and node._builtin:
            written = values[place + 1]
            yield None, value, written[0] if isinstance(written, tuple) else NEVER
