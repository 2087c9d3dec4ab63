"""Which call made the first NaN or infinity: every result is tested once, cheaply.

A bad result has an event, found by the number of its `Made`; events know the bad values they came
from. Most bad values are harmless (a mask of -inf, an inf to begin a minimum with): what an event
means is asked only where one did harm.
"""

import itertools
import weakref
from cmath import isfinite
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from seegrad.explain.bad.births import cause_of
from seegrad.explain.bad.finite import described, has_nan, is_finite, shortly, worst
from seegrad.explain.places import Place
from seegrad.explain.record import Made, Record, is_write, made_of
from seegrad.graph.asked import Entry
from seegrad.graph.observed import Listener, Observer
from seegrad.graph.tensor import TensorBase, requires

__all__ = ["Bad", "BadValues", "Birth", "plain_name"]

KEPT = 4096  # events; the oldest go first
vdot = np.vdot

# Memory that nobody has written to may hold anything.
UNWRITTEN = frozenset(
    ["empty", "empty_like", "empty_strided", "new_empty", "new_empty_strided", "resize_", "set_"]
)
UNSEEN = ("torch.autograd.grad_mode", "torch.optim", "torch.nn")
SEEN_ATTRIBUTES = frozenset(
    f"{name}.__get__" for name in ("data", "T", "mT", "H", "mH", "real", "imag")
)
SYMBOLS = {
    "__rtruediv__": "div", "__rdiv__": "div", "__pow__": "pow", "__rpow__": "pow",
    "__rsub__": "sub", "rsub": "sub", "subtract": "sub", "multiply": "mul", "divide": "div",
    "true_divide": "div", "__ipow__": "pow", "__rmatmul__": "matmul", "__idiv__": "div",
}  # fmt: skip


def plain_name(name: str) -> str:
    """The name of an operator, however it was called: "div" for `1 / x` and `x.div_(2)`."""
    return SYMBOLS.get(name) or (name if name.startswith("__") else name.rstrip("_"))


class Birth(NamedTuple):
    """What is known of a call that made a bad value out of good ones."""

    cause: str
    element: tuple[int, ...]  # its index
    value: Any
    operands: tuple[str, ...]  # the values there, or what the arguments were like
    detail: Any = None


class Bad:
    """A NaN or an infinity in a result."""

    __slots__ = ("array", "birth", "made", "masked", "met", "nan", "sources")

    def __init__(self, made: Made, nan: bool, sources: tuple["Bad", ...]) -> None:
        self.made = made
        self.nan = nan  # or only infinities
        self.sources = sources
        self.birth: Birth | None = None
        self.masked: Made | None = None  # the first finite result that it was used for
        self.met: Place | None = None  # the call that it came to, where nobody saw it made
        self.array: Any = None  # refers to the result, where memory was written to

    @property
    def place(self) -> Place | None:
        """The line of the call."""
        return self.made.place or self.met

    def births(self) -> list["Bad"]:
        """The births that this came from, the earliest first."""
        found: dict[int, Bad] = {}
        open_ends, seen = [self], {self.made.number}
        while open_ends:
            bad = open_ends.pop()
            if bad.birth is not None:
                found[bad.made.number] = bad
            for source in bad.sources:
                if source.made.number not in seen:
                    seen.add(source.made.number)
                    open_ends.append(source)
        return [found[number] for number in sorted(found)]


class BadValues(Observer):
    """Observes the results of public calls. The record has to be told first."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.events: dict[int, Bad] = {}
        self.lost: dict[int, tuple[Made, float, float]] = {}
        self.written: list[Bad] = []  # events that wrote into memory which other tensors see

    def listener(self, entry: Entry) -> Listener | None:
        """Tests what returns tensors."""
        name = entry.name
        if name in UNWRITTEN or entry.place in UNSEEN:
            return None
        if "." in name and name not in SEEN_ATTRIBUTES:
            return None
        return self.wrote if is_write(name) or name == "__setitem__" else self.saw

    def saw(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """A call returned."""
        if isinstance(result, TensorBase):
            array = result._array
            if not isfinite(vdot(array, array)) and not np.isfinite(array).all():
                self.bad(entry, args, kwargs, result)
            elif self.events:
                self.used(result)
        elif isinstance(result, (tuple, list)):
            for one in result:
                self.saw(entry, args, kwargs, one)

    def wrote(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """A write in place; what else sees the memory is bad too."""
        written = args[0]
        if not isinstance(written, TensorBase):
            return
        self.saw(entry, args, kwargs, written)
        event = self.events.get(made_of(written).number)
        if event is not None:
            event.array = weakref.ref(written)
            self.written = [*self.written[-63:], event]

    def used(self, result: Any) -> None:
        """A finite result: whatever was bad among the arguments is masked by it."""
        made = result._made
        if made is not None and result._array.dtype.kind in "fc":
            for parent in made.parents:
                event = self.events.get(parent.number)
                if event is not None and event.masked is None:
                    event.masked = made

    def bad(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """A bad result: passed on, or born here."""
        made = made_of(result)
        array = result._array
        tensors = list(tensors_of(args, kwargs))
        if entry.name in ("batch_norm", "instance_norm"):  # running statistics it has written to
            tensors = [t for t in tensors if t is tensors[0] or requires(t)]
        sources = []
        for tensor in tensors:
            if tensor._array is array:  # written in place: what it was before
                before = self.events.get(made.parents[0].number) if made.parents else None
                sources += [] if before is None else [before]
            elif not is_finite(tensor._array):
                sources.append(self.found(tensor, made.place))
        nan = has_nan(array)
        event = Bad(made, nan, tuple(sources))
        if not sources or (nan and not any(source.nan for source in sources)):
            event.birth = self.born(entry, args, kwargs, result, event)
        self.keep(event)

    def keep(self, event: Bad) -> None:
        """Remembers an event, and forgets the oldest."""
        self.events[event.made.number] = event
        if len(self.events) > KEPT:
            for number in list(self.events)[: KEPT // 2]:
                del self.events[number]

    def found(self, tensor: Any, met: Place | None) -> Bad:
        """The event of a bad tensor that nobody saw become bad; `met`: where it came up."""
        made = made_of(tensor)
        event = self.events.get(made.number)
        if event is None:
            sources = self.unseen(tensor)
            event = Bad(made, has_nan(tensor._array), sources)
            event.met = met
            if not sources:
                index = worst(tensor._array)
                event.birth = Birth("found", index, tensor._array[index], ())
            self.keep(event)
        return event

    def unseen(self, tensor: Any) -> tuple[Bad, ...]:
        """Where a bad value came from without a call: memory that it shares, data it is of."""
        for event in reversed(self.written):
            other = None if event.array is None else event.array()
            if other is not None and np.may_share_memory(other._array, tensor._array):
                return (event,)
        if tensor._made.parents or requires(tensor):
            parents = (self.events.get(p.number) for p in tensor._made.parents)
            return tuple(event for event in parents if event is not None)
        data = (e for e in reversed(self.events.values()) if e.birth and e.birth.cause == "data")
        return tuple(itertools.islice(data, 1))

    def born(self, entry: Entry, args: Any, kwargs: Any, result: Any, event: Bad) -> Birth:
        """What there is to know of a birth, while its arguments are as they were."""
        array = result._array
        index = worst(array)
        name = plain_name(entry.name)
        cause, detail = cause_of(self, name, entry, args, kwargs, result, event, index)
        operands = tuple(operand(value, array, index) for value in numbers_of(args))
        return Birth(cause, index, array[index], operands, detail)


def tensors_of(args: Any, kwargs: Any) -> Iterator[Any]:
    """The tensors among arguments, also in lists."""
    for value in (*args, *kwargs.values()):
        if isinstance(value, TensorBase):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from (one for one in value if isinstance(one, TensorBase))


def numbers_of(args: Any) -> list[Any]:
    """The arguments that are tensors or numbers."""
    kinds = (TensorBase, float, int)
    return [v for v in args if isinstance(v, kinds) and not isinstance(v, bool)]


def operand(value: Any, array: Any, index: tuple[int, ...]) -> str:
    """An argument, at an index of the result where they go together."""
    if not isinstance(value, TensorBase):
        return shortly(value)
    try:
        return shortly(np.broadcast_to(value._array, array.shape)[index])
    except (ValueError, TypeError):
        return described(value._array)
