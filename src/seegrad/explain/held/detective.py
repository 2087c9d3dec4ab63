"""The detective of memory: graphs that stay alive for nothing, and what keeps them."""

import weakref
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import Any

from seegrad.explain.brief import counted
from seegrad.explain.held.growth import ERAS, Growth, Kept, Spot, names_of
from seegrad.explain.held.keepers import graph_of, keepers
from seegrad.explain.places import Place, spot, users_frame
from seegrad.explain.report import Finding
from seegrad.explain.session import Detective, Session
from seegrad.explain.source.appends import (
    ctx_line,
    line_that_carries,
    line_that_fills,
    looks_at_memory,
)
from seegrad.graph.asked import Entry
from seegrad.graph.backward import Pass
from seegrad.graph.node import Node, next_sequence
from seegrad.graph.observed import Listener
from seegrad.graph.tensor import TensorBase

__all__ = ["MemoryDetective"]

# Calls after which the program is looked at now and then.
WATCHED = frozenset(["cat", "stack", "argmax", "cross_entropy", "mse_loss"])
# What takes values out of a step.
TAKING = frozenset(["item", "tolist", "numpy", "detach", "__float__", "__int__", "__format__"])


class Repeated:
    """The passes of one line: how much of earlier passes they run through."""

    def __init__(self) -> None:
        self.mark = 0  # sequence number at the last pass
        self.old: list[int] = []  # nodes that were there at the last pass
        self.states: dict[int, tuple[Any, str, Place, bool]] = {}  # by node
        self.state: tuple[str, Place, bool] | None = None  # its name, line, whether a sum


class Created:
    """The passes of one line with `create_graph`, and how often their gradients stayed."""

    def __init__(self) -> None:
        self.leaves: list[weakref.ref[Any]] = []
        self.passes = self.stayed = 0
        self.largest = 0  # elements of a leaf whose gradient stayed

    def living(self) -> list[Any]:
        """The leaves of the last pass."""
        return [leaf for ref in self.leaves if (leaf := ref()) is not None]

    def ask(self) -> None:
        """Whether gradients of the last pass are there with their graph."""
        staying = [leaf for leaf in self.living() if has_graph(leaf)]
        self.stayed += bool(staying)
        self.largest = max([self.largest, *(leaf._array.size for leaf in staying)])


def has_graph(leaf: Any) -> bool:
    """Whether the gradient of a leaf has a history."""
    return leaf._grad is not None and leaf._grad._node is not None


class OnContext:
    """What the calls of one Function keep on their context."""

    def __init__(self, function: Any, name: str, is_output: bool) -> None:
        self.function, self.name, self.is_output = function, name, is_output
        self.count = 0
        self.nodes: list[weakref.ref[Any]] = []


class MemoryDetective(Detective):
    """Finds graphs that nobody needs any more, and the line that keeps them."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.growth = Growth()
        self.repeated: dict[Spot, Repeated] = {}
        self.created: dict[Spot, Created] = {}
        self.evaluating = False  # whether the last module called was in eval mode
        self.last_call: Spot | None = None  # where that was
        self.contexts: dict[tuple[Any, str], OnContext] = {}  # by Function and name

    def listener(self, entry: Entry) -> Listener | None:
        """Hears of modules and custom Functions, and of what ends a calculation."""
        if entry.name == "Module.__call__":
            return self.called
        if entry.name == "apply":
            return self.applied
        if entry.name in TAKING:
            return self.taken
        return self.used if entry.name in WATCHED else None

    def called(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """A module was called."""
        self.evaluating = not args[0].training
        if self.evaluating:
            self.growth.reached(True)
            self.last_call = spot(3)
        else:
            self.growth.reached(False)

    def used(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """Something was calculated."""
        self.growth.reached(self.evaluating, args[0] if args else None)

    def taken(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """A value was taken."""
        self.growth.asked.append(next_sequence())
        if entry.name == "item":
            self.used(entry, args, kwargs, result)

    def applied(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """A custom Function was called: what did it leave on its context?"""
        results = result if isinstance(result, tuple) else (result,)
        node = next((r._node for r in results if isinstance(r, TensorBase)), None)
        if node is None or node._builtin:
            return
        for name, value in vars(node).items():
            tensors = [] if hasattr(type(node), name) else list(tensors_in(value))
            if tensors:
                key = (type(node)._forward_cls, name)  # type: ignore[attr-defined]
                found = self.contexts.get(key)
                if found is None:
                    is_output = any(tensor._node is node for tensor in tensors)
                    found = self.contexts[key] = OnContext(*key, is_output)
                found.count += 1
                if found.count <= 64:
                    found.nodes.append(weakref.ref(node))

    def began(self, current: Pass) -> bool:
        """A pass begins."""
        if current.outer is not None:
            return False
        self.growth.passed(current)
        self.growth.is_starting = True  # what the pass is about to run through is no evaluation
        self.growth.reached(False)
        self.growth.is_starting = False
        self.evaluating = False
        where = spot(3)
        if where is not None:
            self.compare(where, current)
            if current.recorded and current.captures is None:
                self.note_created(where, current)
        return False

    def note_created(self, where: Spot, current: Pass) -> None:
        """A pass whose gradients get a graph."""
        created = self.created.setdefault(where, Created())
        created.ask()
        created.passes += 1
        created.leaves = [weakref.ref(node.variable) for node in current.leaves()]  # type: ignore[attr-defined]

    def compare(self, where: Spot, current: Pass) -> None:
        """How much of a pass was there at the last pass of this line."""
        repeated = self.repeated.setdefault(where, Repeated())
        order = current.order  # the newest first
        old = len(order) - bisect_left(order, -repeated.mark, key=lambda node: -node._sequence)
        repeated.old.append(0 if repeated.mark == 0 or current.recorded else old)
        if growing(repeated.old) >= 2:
            self.follow(repeated, order[: len(order) - old], set(order[len(order) - old :]))
        repeated.mark = next_sequence()

    def follow(self, repeated: Repeated, new: list[Node], old: set[Node]) -> None:
        """By which variable the new part of a graph hangs on the old one."""
        joints = {f for node in new for f in node._next if f in old}
        for joint in joints:
            found = repeated.states.get(id(joint))
            if found is not None and found[0]() is joint:
                repeated.state = found[1:]
        repeated.states = {}
        frame = users_frame()
        for keeper in keepers(names_of(frame), seconds=0.01):
            for tensor in keeper.tensors[:100]:
                node = graph_of(tensor)
                if node is not None and tensor._made is not None and tensor._made.place:
                    is_sum = tensor._array.ndim == 0
                    held = (weakref.ref(node), keeper.path, tensor._made.place, is_sum)
                    repeated.states.setdefault(id(node), held)

    # At the end

    def findings(self) -> Iterable[Finding]:
        """What was kept for nothing."""
        for frame in reversed(self.session.frames()):
            self.look(dict(frame.names))
        self.look(self.session.names)
        looking = looks_at_memory(str(self.session.names.get("__file__")))
        found = list(self.cycles(looking)) or list(self.states())
        found += self.contexts_kept(looking)
        found += self.collections(bool(found))
        weight = 2 if looking else 1
        return [Finding(f.kind, f.says, f.place, f.evidence, f.certain, weight) for f in found]

    def look(self, names: dict[str, Any]) -> None:
        """Examines what variables keep."""
        for keeper in keepers(names, seconds=0.3):
            self.growth.examine(keeper)

    def collections(self, is_known: bool) -> Iterator[Finding]:
        """Lists and sums of what has a graph."""
        found = [kept for kept in self.growth.kept.values() if not kept.used]
        states = [kept for kept in found if kept.is_state]
        # What a step calculates last is what the next one goes on from; an attribute stays.
        carried = max(states, key=lambda kept: (kept.oldest, "." in kept.path), default=None)
        found = [kept for kept in found if not kept.is_state or kept is carried]
        found.sort(key=lambda kept: (-kept.eras, -kept.count))
        lines: dict[Spot, tuple[Kept, int | None]] = {}
        for kept in found:
            line = line_that_fills(kept.path, kept.place) if kept.is_container else None
            earlier = lines.get(kept.spot)
            # Of two containers the one that grew, not a list of what is in it.
            older = earlier is not None and line is not None and kept.since < earlier[0].since
            if earlier is None or older or (line is not None and earlier[1] is None):
                lines[kept.spot] = kept, line  # of two names for one list the one that fills it
        for kept, line in lines.values():
            if kept.is_container:
                yield self.of_container(kept, line)
            elif not is_known:
                yield of_sum(kept)

    def of_container(self, kept: Kept, line: int | None) -> Finding:
        """A container that keeps graphs; `line` fills it."""
        made = place = kept.place
        if line is not None:
            place = Place(made.code, line)
        elif kept.evaluated and self.last_call is not None:
            place = Place(*self.last_call)
        evidence = [
            f"{kept.path} holds {counted(kept.count, 'tensor')} with a graph, made at {made}",
            f"they come from {counted(kept.eras, 'pass', 'passes')} of the program"
            if not kept.evaluated
            else "no backward has used them",
        ]
        if kept.of_functions:
            says = (
                f"{kept.path} keeps a tensor of every call alive, long after backward; pass it on "
                "with ctx.save_for_backward"
            )
            return Finding("function-holds-memory", says, place, tuple(evidence))
        if kept.scalar:
            says = (
                f"{kept.path} keeps losses with their graphs, so nothing they were computed from "
                "is freed; keep loss.item() or loss.detach()"
            )
            return Finding("memory-loss-kept", says, place, tuple(evidence))
        cure = "evaluate under torch.no_grad()" if kept.evaluated else "keep it detached"
        says = f"{kept.path} keeps outputs with their graphs, so memory grows; {cure}"
        return Finding("memory-kept-outputs", says, place, tuple(evidence))

    def states(self) -> Iterator[Finding]:
        """Passes that run through more and more of what earlier ones ran through."""
        for where, repeated in self.repeated.items():
            run = longest_growth(repeated.old)
            if len(run) <= ERAS:
                continue
            place = Place(*where)
            evidence = (
                f"each backward at {place} runs through more nodes of earlier steps: "
                + ", ".join(map(str, run[:5])),
                "it goes back to the first step, and so does the memory",
            )
            name, line, is_sum = repeated.state or ("a state", place, False)
            if repeated.state is not None:
                carried = line_that_carries(name, place)
                line = line if carried is None else Place(place.code, carried)
            says = (
                f"{name} is never detached, so the history grows with every step; "
                f"{'detach it' if repeated.state is None else f'{name}.detach()'} between steps"
            )
            kind = "memory-loss-kept" if is_sum else "memory-hidden-state"
            yield Finding(kind, says, line, evidence)

    def cycles(self, looking: bool) -> Iterator[Finding]:
        """Gradients with a graph that holds their own parameters."""
        for where, created in self.created.items():
            created.ask()
            left = created.passes >= 3 and any(has_graph(leaf) for leaf in created.living())
            if not (created.stayed >= 3 or left) or (created.largest < 2 and not looking):
                continue
            says = (
                "create_graph=True gives each .grad a graph that holds its parameter: a cycle "
                "that is not freed; use torch.autograd.grad, or set .grad to None afterwards"
            )
            evidence = (
                f"after {created.stayed} of {counted(created.passes, 'pass', 'passes')} here the "
                "gradients were still there with their graphs"
                if created.stayed >= 3
                else "at the end the gradients of the last pass are still there with their graphs",
            )
            yield Finding("memory-create-graph", says, Place(*where), evidence)

    def contexts_kept(self, looking: bool) -> Iterator[Finding]:
        """Tensors on the contexts of custom Functions."""
        for found in self.contexts.values():
            alive = [node for ref in found.nodes if (node := ref()) is not None]
            stays = sum(node._freed_by is not None for node in alive)
            if found.is_output:
                if found.count < 3 and not looking:
                    continue
                says = (
                    f"ctx.{found.name} holds the output of {found.function.__name__}, which holds "
                    "ctx: a cycle, so neither is freed; use ctx.save_for_backward"
                )
            elif looking and stays:
                says = (
                    f"ctx.{found.name} keeps a tensor after backward, as nothing frees attributes "
                    "of ctx; use ctx.save_for_backward"
                )
            else:
                continue
            evidence = (f"{len(alive)} of {found.count} contexts are still alive at the end",)
            yield Finding("memory-on-ctx", says, place_on_ctx(found), evidence)


def tensors_in(value: Any) -> Iterator[TensorBase]:
    """A tensor, or the tensors of a container."""
    if isinstance(value, TensorBase):
        yield value
    elif isinstance(value, (list, tuple, set, dict)):
        items = value.values() if isinstance(value, dict) else value
        yield from (item for item in items if isinstance(item, TensorBase))


def of_sum(kept: Kept) -> Finding:
    """A variable that adds up graphs."""
    evidence = [f"its graph goes through this line {kept.count} times"]
    if kept.scalar:
        says = (
            f"{kept.path} adds up losses with their graphs, so the graph of every step stays "
            "alive; add loss.item() or loss.detach()"
        )
        return Finding("memory-loss-kept", says, kept.place, tuple(evidence))
    if kept.joined:
        says = f"{kept.path} keeps outputs with their graphs, so memory grows; detach them"
        return Finding("memory-kept-outputs", says, kept.place, tuple(evidence))
    if kept.idle:
        says = (
            f"{kept.path} is never detached, so its graph grows with every step, and no backward "
            "ever uses it: detach it, or run this under torch.no_grad()"
        )
        return Finding("memory-hidden-state", says, kept.place, tuple(evidence))
    says = f"{kept.path} is never detached, so its history grows with every step; detach it"
    return Finding("memory-hidden-state", says, kept.place, tuple(evidence))


def place_on_ctx(found: OnContext) -> Place | None:
    """The line that puts the tensor on the context."""
    cls = found.function
    for name in ("setup_context", "forward"):
        code = getattr(getattr(cls, name, None), "__code__", None)
        if code is None or name not in vars(cls):
            continue
        line = ctx_line(code.co_filename, code.co_firstlineno, found.name)
        if line is not None:
            return Place(code, line)
    return None


def growing(values: list[int]) -> int:
    """How often the last numbers grew, one after the other."""
    count = 0
    while count + 1 < len(values) and values[-1 - count] > values[-2 - count]:
        count += 1
    return count


def longest_growth(values: list[int]) -> list[int]:
    """The longest run of numbers each of which is larger than the one before."""
    best: list[int] = []
    run: list[int] = []
    for value in values:
        run = [*run, value] if run and value > run[-1] else [value]
        best = max(best, run, key=len)
    return best
