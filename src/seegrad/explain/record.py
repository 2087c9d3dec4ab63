"""What a watched program did: where tensors came from, who wrote, who freed, what ran backward.

Note [Provenance]: under watch every tensor that a public call returns has a `_made`: the call, its
line, and the provenance of its tensor arguments; also where nothing was recorded. So the record
runs through `detach`, comparisons and `no_grad`, where the graph ends. It holds no array. What was
made before the watch, or by the library itself, gets a `Made` without a line when it is first met.
A chain that grows for ever (`w = w - lr * g`) is cut off after LONGEST links.
"""

import itertools
import linecache
import sys
import weakref
from collections import deque
from collections.abc import Callable, Iterable
from functools import partial
from inspect import signature
from types import CodeType, FrameType
from typing import Any

from seegrad.explain.places import Place, here, is_foreign, runs_within, spot
from seegrad.graph.asked import Entry
from seegrad.graph.backward import Pass
from seegrad.graph.counters import Untracked
from seegrad.graph.node import LAST, AccumulateGrad, Node, next_sequence
from seegrad.graph.observed import Listener, Observer
from seegrad.graph.state import thread
from seegrad.graph.tensor import TensorBase, requires

__all__ = [
    "SECOND", "Exit", "Made", "PassRecord", "Record", "Write", "ancestors", "made_of", "moment",
    "noted_writes", "provenance",
]  # fmt: skip

LONGEST = 20_000
KEPT = 256  # of passes, exits and the like; the first and the last ones


# Between which sequence numbers the nodes of derivatives of derivatives are, of passes watched.
SECOND: deque[tuple[int, int]] = deque(maxlen=KEPT)

_count = itertools.count(1).__next__


def moment() -> int:
    """A number between those of what was made so far and of what will be made."""
    return _count()


class Made:
    """How a tensor came to be: one call."""

    __slots__ = (
        "__weakref__", "depth", "live", "name", "number", "parents", "recorded", "shape", "spot",
        "undone",
    )  # fmt: skip

    name: str  # of the function: "mul", "detach", "tensor"; "leaf" where nobody saw it made
    spot: tuple[CodeType, int] | None
    parents: tuple["Made", ...]
    recorded: bool  # whether the tensor requires a gradient
    live: bool  # whether it, or something it was made from, requires one
    shape: tuple[int, ...]
    # Why nothing was recorded, and the line that said so: "no_grad", "inference_mode" ...
    undone: tuple[str, Place | None] | None
    depth: int
    number: int  # counts what was made

    def __repr__(self) -> str:
        return f"<{self.name} at {self.place}>"

    @property
    def place(self) -> Place | None:
        """The line of the call, None where nobody saw it."""
        return None if self.spot is None else Place(*self.spot)

    @property
    def valued(self) -> Place | None:
        """The line that gave the values: a write through `.data` before any pass, else `place`."""
        return _rewritten.get(self) or self.place

    @property
    def is_cut(self) -> bool:
        """Whether a gradient gets lost here: an argument leads to one, the result does not."""
        return self.live and not self.recorded


# Where the values of these were written by another name (`w.data.fill_(0)`), before any pass.
_rewritten: weakref.WeakKeyDictionary[Made, Place] = weakref.WeakKeyDictionary()
SAME_MEMORY = frozenset(["data.__get__", "detach", "view", "t", "T.__get__"])


class Exit:
    """Values that left the world of tensors: `item()`, `tolist()`, `numpy()`, `float()`."""

    __slots__ = ("made", "name", "number", "place", "value")

    def __init__(self, name: str, made: Made, place: Place | None, value: Any) -> None:
        self.name, self.made, self.place, self.value = name, made, place, value
        self.number = _count()


class Write:
    """One write in place."""

    __slots__ = ("name", "place", "version")

    def __init__(self, name: str, place: Place | None, version: int | None) -> None:
        self.name, self.place, self.version = name, place, version


class PassRecord:
    """One backward pass."""

    __slots__ = (
        "at", "captured", "create_graph", "error", "first", "keep", "leaves", "moment", "number",
        "place", "root_leaves", "roots",
    )  # fmt: skip

    def __init__(self, number: int, place: Place | None, current: Pass) -> None:
        self.number = number
        self.moment = _count()  # between the numbers of what was made before, and after
        self.place = place
        self.keep = current.keep
        self.create_graph = current.recorded
        self.roots: tuple[Made, ...] = ()  # the losses
        self.leaves = {id(node.variable) for node in current.leaves()}  # type: ignore[attr-defined]
        self.root_leaves: list[Any] = []  # losses that are leaves: weak references
        self.captured = current.captures is not None  # `autograd.grad`
        self.at = _count()  # what was made before has a lower number
        self.error = False
        self.first = next_sequence()  # before those of the nodes that the pass makes


class Places:
    """A line for each of some objects, whatever they say of equality; gone with the object."""

    def __init__(self) -> None:
        self.found: dict[int, tuple[Any, Place | None]] = {}

    def put(self, key: Any, place: Place | None) -> None:
        """Keeps the line of an object."""
        number, found = id(key), self.found
        found[number] = weakref.ref(key, lambda _: found.pop(number, None)), place

    def get(self, key: Any) -> Place | None:
        """The line of an object, None where none was kept."""
        reference, place = self.found.get(id(key), (None, None))
        return place if reference is not None and reference() is key else None


# What leaves no tensor behind but a value.
EXITS = frozenset(
    ["item", "tolist", "numpy", "__float__", "__int__", "__bool__", "__index__", "__array__"]
    + ["__complex__", "__format__"]
)


def made_of(tensor: TensorBase) -> Made:
    """The provenance of a tensor; made now where nobody saw it made."""
    if tensor._made is None:
        tensor._made = new_made("leaf", None, (), tensor)
    found: Made = tensor._made
    return found


def provenance(value: Any) -> Made | None:
    """What a tensor's provenance is so far; None of objects of the user, which are not asked."""
    return value._made if isinstance(value, TensorBase) else None


def new_made(
    name: str, spot: tuple[CodeType, int] | None, parents: tuple[Made, ...], tensor: Any
) -> Made:
    """The provenance of a tensor that a call returned."""
    made: Made = object.__new__(Made)
    made.name = name
    made.spot = spot
    flag = tensor._requires_grad
    made.recorded = live = flag if flag.__class__ is bool else requires(tensor)
    depth = 0
    for parent in parents:
        if parent.depth >= depth:
            depth = parent.depth + 1
        if parent.live:
            live = True
    if depth > LONGEST:
        parents, depth = (), 0
    made.live = live
    made.parents = parents
    made.depth = depth
    made.undone = undone() if live and not made.recorded else None
    made.shape = tensor._array.shape
    made.number = _count()
    return made


class Record(Observer):
    """Observes a program and keeps what the explanations are made of.

    `writes`: by counter (its `id`), the last writes to that memory. `freed`: on the nodes, as
    `_freed_by`. `resets`: on leaves, as `_reset_by`, the Place where their gradient was put away.
    """

    def __init__(self) -> None:
        self.since = next_sequence()  # nodes with a lower number are older than the watch
        self.passes: deque[PassRecord] = deque(maxlen=KEPT)
        self.pass_count = 0
        self.exits: deque[Exit] = deque(maxlen=KEPT)
        self.writes: dict[int, tuple[Any, deque[Write]]] = {}
        self.reads: dict[
            Place | None, tuple[Any, Any]
        ] = {}  # of `.grad`: where -> (tensor, found)
        self.modules = Places()  # where they were made
        self.running: dict[Pass, PassRecord] = {}
        self.failures: deque[tuple[Entry, Any, BaseException, Place | None]] = deque(maxlen=16)

    # Calls

    def listener(self, entry: Entry) -> Listener | None:
        """Notes what a call made, wrote, read or let out."""
        name = entry.name
        if name in SPECIAL:
            return partial(SPECIAL[name], self)
        if name in EXITS:
            return self.let_out
        if entry.place == "torch.nn" and name != "Parameter":
            return None  # what a module returns was made by the calls inside
        if is_write(name):
            return self.wrote_or_made
        if name in ("embedding", "embedding_bag"):
            return self.looked_up
        return self.perhaps_wrote if name == "apply" or may_write(entry) else self.made

    def made(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """Gives a result its provenance, and the nodes that made it their line."""
        if kwargs and kwargs.get("out") is not None:
            self.perhaps_wrote(entry, args, kwargs, result)
        elif isinstance(result, TensorBase):
            parents = parents_of(args, kwargs)
            made = new_made(entry.name, spot(3), parents, result)
            result._made = made
            view = result._view
            node = result._node if view is None else view.node or view.base._node
            if node is not None and node._made is None:
                mark_nodes(node, made, self.since)
        elif isinstance(result, (tuple, list)):
            for one in result:
                self.made(entry, args, kwargs, one)

    def wrote_or_made(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """As `made`, for the name of a write in place; `requires_grad_` is none."""
        if result is args[0] and isinstance(result, TensorBase):
            self.wrote(entry.name, result, args, kwargs)
        else:
            self.made(entry, args, kwargs, result)

    def perhaps_wrote(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """As `made`, for functions that may be told to write: `inplace=True`, `out=`."""
        for one in result if result.__class__ in (tuple, list) else (result,):
            known = any(one is arg for arg in args) or kwargs.get("out") is not None
            if known and isinstance(one, TensorBase) and self.has_changed(one):
                self.wrote(entry.name, one, (None, *args), kwargs)
            else:
                self.made(entry, args, {n: v for n, v in kwargs.items() if n != "out"}, one)

    def looked_up(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """As `made`, for lookups that may shorten rows of their table in place (`max_norm`)."""
        self.made(entry, args, kwargs, result)
        for one in (*args[:2], kwargs.get("weight")):
            if isinstance(one, TensorBase) and self.has_changed(one):
                self.note_write(entry.name, one, here(3))

    def has_changed(self, tensor: Any) -> bool:
        """Whether a tensor was written to since its last write on record."""
        counter = tensor._counter
        if counter.__class__ is Untracked:
            return False
        writes = self.writes_to(tensor)
        return bool(counter.value > ((writes[-1].version or 0) if writes else 0))

    def let_out(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """Notes values that became numbers, but not those that distributions check."""
        if isinstance(args[0], TensorBase) and not runs_within("distributions"):
            self.exits.append(Exit(entry.name, made_of(args[0]), here(3), result))

    def wrote(self, name: str, tensor: Any, args: Any, kwargs: Any) -> None:
        """Notes a write in place: a tensor made anew, and a line for who finds its version."""
        place = self.constructed() or here(4)
        self.note_write(name, tensor, place)
        if place is not None and not self.pass_count and tensor._made is not None:
            note_rewritten(tensor._made, place)
        made = new_made(name, place, (made_of(tensor), *parents_of(args[1:], kwargs)), tensor)
        made.undone = undone()  # of a leaf too: only the values arrive
        tensor._made = made
        written = tensor if tensor._view is None else tensor._view.base
        node = written._node
        if node is not None and node._made is None:  # else recording was off
            mark_nodes(node, made, self.since)

    def constructed(self) -> Place | None:
        """The line that made the module that writes, where its container was called, not itself.

        `nn.Sequential(..., nn.ReLU(inplace=True))`: the line of the call does not show the write.
        """
        modules = []
        frame: FrameType | None = sys._getframe(2)
        while frame is not None and is_foreign(frame.f_code.co_filename):
            if frame.f_code.co_name == "forward":
                modules.append(frame.f_locals.get("self"))
            frame = frame.f_back
        return self.modules.get(modules[0]) if len(modules) > 1 else None

    def note_write(self, name: str, tensor: Any, place: Place | None) -> None:
        """Keeps the line of a write for who finds its version."""
        counter = tensor._counter
        version = None if counter.__class__ is Untracked else counter.value
        entry = self.writes.get(id(counter))
        if entry is None or entry[0] is not counter:
            entry = self.writes[id(counter)] = (counter, deque(maxlen=8))
            if version:  # else it may be NEVER, which many tensors share
                getattr(counter, "shared", counter).noted = entry[1]
        entry[1].append(Write(name, place, version))

    def failed(self, entry: Entry, args: Any, kwargs: Any, error: BaseException) -> None:
        """Notes an error of the library."""
        self.failures.append((entry, args, error, here(3)))

    # Backward passes

    def began(self, current: Pass) -> bool:
        """Notes a pass: its line, what it keeps, which leaves it reaches."""
        self.pass_count += 1
        made = PassRecord(self.pass_count, here(3), current)
        found = [made_of_root(node, made) for node in current.roots]
        made.roots = tuple([one for one in found if one is not None])
        self.passes.append(made)
        self.running[current] = made
        return False

    def ended(self, current: Pass) -> None:
        """Notes on the nodes who freed them."""
        made = self.running.pop(current, None)  # None where it began before the watch
        if made is not None and made.create_graph:
            SECOND.append((made.first, next_sequence()))
        if made is not None and not current.keep:
            for node in current.order:
                if node._saved is None and node._freed_by is None:
                    node._freed_by = made

    def named_roots(self, roots: Iterable[Any]) -> None:
        """Fills in the losses of the last pass where they are views, whose nodes nobody marked."""
        last = self.passes[-1] if self.passes else None
        if last is not None and not last.roots:
            last.roots = tuple([one._made for one in roots if one._made is not None])

    def now(self) -> int:
        """A number between those of what was made before and of what will be."""
        return _count()

    def writes_to(self, tensor: Any) -> list[Write]:
        """The last writes to a tensor's memory, the oldest first."""
        return self.writes_by(tensor._counter)

    def writes_by(self, counter: Any) -> list[Write]:
        """The last writes that a counter counted, the oldest first."""
        known, found = self.writes.get(id(counter), (None, ()))
        return list(found) if known is counter else []


def note_rewritten(made: Made, place: Place) -> None:
    """Keeps the line of a write into what shows the memory of another tensor."""
    shown = made
    while (shown.name in SAME_MEMORY or is_write(shown.name)) and shown.parents:
        shown = shown.parents[0]
        _rewritten[shown] = place


def noted_writes(counter: Any) -> list[Write]:
    """The last writes that a counter counted while any watch was open, the oldest first."""
    return list(getattr(getattr(counter, "shared", counter), "noted", ()))


def made_of_root(node: Node, into: PassRecord) -> Made | None:
    """The provenance of a loss, which may be a leaf."""
    if isinstance(node, AccumulateGrad):
        into.root_leaves.append(weakref.ref(node.variable))
        return made_of(node.variable)
    found: Made | None = node._made
    return found


def parents_of(args: Any, kwargs: Any) -> tuple[Made, ...]:
    """The provenance of the tensors among the arguments, also in lists."""
    found: list[Made] = []
    for value in (*args, *kwargs.values()) if kwargs else args:
        if isinstance(value, TensorBase):
            found.append(value._made or made_of(value))
        elif value.__class__ in (list, tuple):
            found += members_of(value)
    return tuple(found)


def members_of(values: Any) -> list[Made]:
    """The provenance of the tensors in a list, and in lists in it: `tensor([[a, b], [c, d]])`."""
    found = [made_of(one) for one in values if isinstance(one, TensorBase)]
    if not found and values and values[0].__class__ in (list, tuple):
        found = [made for one in values[:64] for made in members_of(one[:64])]
    return found


def mark_nodes(node: Node, made: Made, since: int) -> None:
    """Gives a node, and those that the same call made before it, their provenance."""
    node._made = made
    for following in node._next:
        if (
            following is not None
            and following._made is None
            and since < following._sequence < LAST
        ):
            mark_nodes(following, made, since)


# The modes that were entered and not left, in any thread: their names and lines.
_entered: list[tuple[Any, Place | None]] = []


def undone() -> tuple[str, Place | None] | None:
    """Why nothing is recorded now, None where recording is on."""
    if thread.state.mode:
        return None
    name = "inference_mode" if thread.state.inference else "no_grad"
    for mode, place in reversed(_entered):
        if type(mode).__name__ in (name, "set_grad_enabled"):
            return type(mode).__name__, place
    return name, None


def may_write(entry: Entry) -> bool:
    """Whether a function has an argument that lets it write into its input."""
    try:
        return "inplace" in signature(entry.original).parameters
    except (TypeError, ValueError):
        return False


def is_write(name: str) -> bool:
    """Whether a function of this name writes into its first argument."""
    if name.startswith("__i") and name.endswith("__"):
        return True
    return name.endswith("_") and not name.endswith("__")


def set_item(record: Record, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
    """`x[i] = y`."""
    record.wrote(entry.name, args[0], args, kwargs)


def set_data(record: Record, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
    """`x.data = y`: other memory."""
    args[0]._made = new_made(entry.name, spot(3), parents_of(args, kwargs), args[0])


def read_grad(record: Record, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
    """`x.grad`."""
    found = None if result is None else weakref.ref(result)
    record.reads[here(3)] = (weakref.ref(args[0]), found)


def reset_grad(record: Record, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
    """`x.grad = None`, `del x.grad`."""
    if entry.name == "grad.__delete__" or args[1] is None:
        args[0]._reset_by = here(3)


def enter_mode(record: Record, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
    """`with no_grad():` and the like; `set_grad_enabled(False)` needs no `with`."""
    _entered.append((args[0], decorator() or here(3)))


def decorator() -> Place | None:
    """The line of the `@no_grad()` whose function is called; None where there is none."""
    frame = sys._getframe(4)  # of who enters
    function = frame.f_locals.get("function")
    code = getattr(function, "__code__", None)
    if code is None or is_foreign(code.co_filename):
        return None
    if not frame.f_code.co_filename.endswith("grad_mode.py"):
        return None
    first: int = code.co_firstlineno
    for line in range(first, first + 8):
        text = linecache.getline(code.co_filename, line).strip()
        if not text.startswith("@"):
            break
        if "grad" in text or "inference" in text:
            return Place(code, line)
    return Place(code, first)


def drew(record: Record, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
    """`distribution.sample()`, which draws under no_grad from what the distribution was given."""
    if isinstance(result, TensorBase):
        name = "sample" if args[0].has_rsample else "multinomial"
        result._made = made = new_made(name, spot(3), tuple(given_to(args[0])), result)
        if made.is_cut:
            made.undone = ("no_grad", None)


def given_to(distribution: Any) -> list[Made]:
    """The provenance of the parameters of a distribution, and of those that it is made of."""
    found: list[Made] = []
    for value in list(vars(distribution).values()):
        if isinstance(value, TensorBase):
            found.append(made_of(value))
        elif hasattr(value, "_batch_shape"):
            found += given_to(value)
    return found


def cast(record: Record, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
    """`x.to(...)`, `x.type(...)`, called by what it comes to where that has no gradient."""
    record.made(entry, args, kwargs, result)
    if isinstance(result, TensorBase) and result is not args[0]:
        kind = result._array.dtype.kind
        if kind in "iub" and result._made is not None:
            result._made.name = "bool" if kind == "b" else "long"


def load_state(record: Record, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
    """`load_state_dict`: numbers are copied."""
    module, state = args[0], args[1] if len(args) > 1 else kwargs.get("state_dict")
    line = spot(3)
    for name, tensor in (*module.named_parameters(), *module.named_buffers()):
        source = state.get(name) if hasattr(state, "get") else None
        if isinstance(source, TensorBase):
            parents = (made_of(tensor), made_of(source))
            tensor._made = new_made("load_state_dict", line, parents, tensor)
            record.note_write("load_state_dict", tensor, None if line is None else Place(*line))


def leave_mode(record: Record, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
    """The end of it."""
    _entered[:] = [pair for pair in _entered if pair[0] is not args[0]]


def stepped(record: Record, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
    """`optimizer.step()`: a write into each parameter."""
    place = here(3)
    for group in args[0].param_groups:
        for parameter in group["params"]:
            record.note_write(entry.name, parameter, place)


def new_module(record: Record, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
    """A module was made."""
    record.modules.put(args[0], here(3))


def set_flag(record: Record, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
    """`x.requires_grad = flag`, `x.requires_grad_(flag)`, `module.requires_grad_(flag)`."""
    if isinstance(args[0], TensorBase):
        tensors = [args[0]]
    else:
        tensors = list(args[0].parameters())
    line = spot(3)
    for tensor in tensors:
        before, flag = made_of(tensor), requires(tensor)
        if before.recorded is not flag:
            tensor._made = made = new_made("requires_grad_", line, (before,), tensor)
            made.live = flag


def ran_backward(record: Record, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
    """`loss.backward()`, `autograd.backward(losses)`, `autograd.grad(losses, ...)`."""
    if args:
        given = args[0] if args[0].__class__ in (tuple, list) else args[:1]
        record.named_roots(one for one in given if isinstance(one, TensorBase))
    record.made(entry, args, kwargs, result)


def seen_only(record: Record, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
    """What makes nothing."""


def ancestors(made: Made, depth: int) -> list[Made]:
    """What a tensor was made from, the nearest first."""
    found, level = [made], [made]
    for _ in range(depth):
        level = [parent for one in level for parent in one.parents][:64]
        found += level
    return found


SPECIAL: dict[str, Callable[..., None]] = {
    "__setitem__": set_item,
    "data.__set__": set_data,
    "grad.__get__": read_grad,
    "grad.__set__": reset_grad,
    "grad.__delete__": reset_grad,
    "Mode.__init__": enter_mode,
    "Mode.__enter__": enter_mode,
    "Mode.__exit__": leave_mode,
    "Module.__init__": new_module,
    "Optimizer.step": stepped,
    "Module.__call__": seen_only,
    "backward": ran_backward,
    "grad": ran_backward,
    "Module.load_state_dict": load_state,
    "Module.requires_grad_": set_flag,
    "requires_grad.__set__": set_flag,
    "requires_grad_": set_flag,
    "Distribution.sample": drew,
    "to": cast,
    "type": cast,
}
