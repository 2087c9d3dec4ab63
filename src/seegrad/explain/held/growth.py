"""Graphs that stay: losses, outputs and states kept with their history, pass after pass.

Note [Growth]: passes divide a run into eras. What was made in four eras and stands in one list, or
in one sum, is history that nobody needs any more, unless a later pass runs through it: then it was
kept for that. Lists in functions are gone when the program ends, so the user's frames are looked
at now and then while it runs: when a line has been reached 4, 5, 6, 8, 12, 16, 24 ... times.
"""

import bisect
import itertools
import sys
import weakref
from collections import deque
from collections.abc import Iterator
from inspect import CO_OPTIMIZED
from types import CodeType, FrameType
from typing import Any

from seegrad.explain.held.keepers import Keeper, graph_of, is_functions, keepers
from seegrad.explain.places import Place, is_foreign, users_frame
from seegrad.graph.backward import Pass
from seegrad.graph.node import AccumulateGrad, Node, next_sequence
from seegrad.graph.tensor import TensorBase, requires

__all__ = ["ERAS", "Growth", "Kept", "Spot", "ops_above", "summed"]

Spot = tuple[CodeType, int]
ERAS = 4  # so many passes' graphs in one place are no accident
IDLE = 30  # links of a state that no pass runs through
BATCHES = 5  # losses without any pass: no accident, in whatever mode the module is
ASKED = 8  # values that are taken meanwhile: each step is for itself
LONG = 8  # a state is carried over longer than a few steps of a deliberate unrolling
FEW = 16  # sums in one dictionary or list
UNSHARED = 3  # references to the dictionary of a frame: the frame's, ours, the question's
NEAR = 32  # nodes between one value of a state and the next
NEWEST = 200  # nodes next to a loss
MANY = 2000  # nodes of one pass
LOOKS = 150  # in one run, at most
JOINING = frozenset(
    ["cat", "concat", "concatenate", "stack", "hstack", "vstack", "dstack"]
    + ["__setitem__", "copy_"]
)


def is_time(count: int) -> bool:
    """Whether to look when a line is reached the how manyth time."""
    if count < 4:
        return False
    if count < 7:
        return True
    while count % 2 == 0 and count > 12:
        count //= 2
    return count in (8, 12)


class Kept:
    """A variable or a container that keeps graphs; `spot`: the line that made the last one."""

    def __init__(
        self, keeper: Keeper, spot: Spot, nodes: list[Node], is_sum: bool, eras: int
    ) -> None:
        self.path, self.of_functions = keeper.path, is_functions(keeper.owner)
        self.is_container = not is_sum
        self.spot = spot
        self.count, self.eras = len(nodes), eras
        self.scalar = all(t._array.ndim == 0 for t in keeper.tensors)
        self.joined = is_sum and str(nodes[0]._made.name) in JOINING
        if self.joined and all(part._shape == () for part in parts_of(nodes)):
            self.scalar = True  # numbers that are written into a tensor
        self.evaluated = False  # collected from a module in eval mode
        self.idle = False  # no pass runs at all
        self.used = False  # a later pass ran through it
        self.nodes = [weakref.ref(node) for node in nodes]
        self.since = 0  # the era in which it was noted first
        self.oldest = nodes[-1]._sequence
        self.ops = len(ops_above(nodes[0 if is_sum else -1], 50))

    @property
    def place(self) -> Place:
        """The line that made what is kept."""
        return Place(*self.spot)

    def calculation(self) -> set[Node]:
        """The nodes that are kept and those next above, without leaves."""
        found = (one for ref in self.nodes if (node := ref()) for one in ops_above(node, FEW))
        return {one for one in found if not isinstance(one, AccumulateGrad)}

    @property
    def is_state(self) -> bool:
        """Whether it is neither a container, nor adds up losses or outputs."""
        return not (self.is_container or self.scalar or self.joined)


class Growth:
    """What is kept over eras: asked now and then, and at the end."""

    def __init__(self) -> None:
        self.marks = [0]  # the sequence number at which each era ends
        self.counts: dict[Spot, int] = {}
        self.kept: dict[tuple[str, Spot], Kept] = {}
        self.looks = 0
        self.is_starting = False  # whether a pass begins
        self.asked: deque[int] = deque(maxlen=512)  # sequence numbers at which values were taken
        # Nodes that are kept for good reason: a pass ran through them after the pass they were
        # made for, or they are differentiated with `create_graph`.
        self.again: weakref.WeakSet[Node] = weakref.WeakSet()

    def eras(self, nodes: list[Node]) -> int:
        """Of how many eras nodes are: made in so many, and used up by no fewer passes."""
        made = {node: bisect.bisect(self.marks, node._sequence) for node in nodes}
        freed = [node._freed_by for node in nodes]
        used = {
            (False, made[node]) if by is None else (True, by.number)
            for node, by in zip(nodes, freed, strict=True)
        }
        return min(len(set(made.values())), len(used))

    def passed(self, current: Pass) -> None:
        """A new era begins; what this pass runs through was not kept for nothing."""
        self.marks.append(next_sequence())
        order = current.order  # the newest first
        older = bisect.bisect(order, -self.marks[-2], key=lambda node: -node._sequence)
        self.again.update(order[older : older + MANY])
        if current.keep:
            self.again.update(order[:NEWEST])
        if current.recorded:  # what it starts from is differentiated again and again
            self.again.update(current.roots)
        pending = [kept for kept in self.kept.values() if not kept.used]
        if not pending:
            return
        run = set(order)
        for kept in pending:
            if kept.evaluated:
                kept.used = not run.isdisjoint(kept.calculation())
            else:
                kept.used = sum(ref() in run for ref in kept.nodes) >= 2

    def reached(self, evaluated: bool, joined: Any = None) -> None:
        """A line of the user's is reached: time for a look? `joined`: a list it reads."""
        frame = users_frame()
        if frame is None:
            return
        spot = (frame.f_code, frame.f_lineno)
        count = self.counts[spot] = self.counts.get(spot, 0) + 1
        if evaluated and count > 1 and isinstance(joined, (list, tuple)) and len(joined) < 1000:
            tensors = [one for one in joined if isinstance(one, TensorBase)]
            self.examine(Keeper(name_of(joined, frame), joined, tensors, None), True, 10**9)
        if is_time(count) and self.looks < LOOKS:
            self.looks += 1
            for keeper in keepers(names_of(frame), seconds=0.01):
                self.examine(keeper, evaluated, ERAS + 1)

    def examine(self, keeper: Keeper, evaluated: bool = False, eras: int = ERAS) -> None:
        """Notes a keeper of graphs of several eras, or of several batches of an evaluation."""
        if keeper.container is None or len(keeper.tensors) <= FEW:
            for tensor in keeper.tensors:
                links = summed(tensor)
                if links is not None:
                    one = keeper._replace(tensors=[tensor])
                    parts = parts_of(links[1])
                    self.judge(
                        one, *links, parts if self.idle(one, parts, evaluated) else [], eras
                    )
        found = None if keeper.container is None else container(keeper)
        if found is not None:
            parts = found[1] if self.idle(keeper, found[1], evaluated) else []
            self.judge(keeper, *found, parts, eras)

    def idle(self, keeper: Keeper, parts: list[Node], evaluated: bool) -> bool:
        """Whether what is added up or collected is an evaluation: no pass has run through it."""
        few = len(parts) < BATCHES or len(self.marks) < 2 or self.is_starting
        if evaluated or few or any(t._array.ndim for t in keeper.tensors):
            return evaluated
        above = (node for part in parts for node in ops_above(part, FEW))
        return not any(node._freed_by is not None or node in self.again for node in above)

    def judge(
        self, keeper: Keeper, spot: Spot, nodes: list[Node], batches: list[Node], eras: int
    ) -> None:
        """Notes nodes that are kept in one place, if they are of several eras, or batches."""
        is_sum = keeper.container is None or len(keeper.tensors) == 1
        count = self.eras(nodes)
        of_eras = count >= eras
        idle = is_sum and keeper.tensors[0]._array.ndim > 0 and self.is_idle(nodes)
        if not (of_eras or idle) and not (len(batches) >= 3 and are_batches(batches)):
            return
        if not is_sum and (any(node in self.again for node in nodes) or are_apart(nodes[-4:])):
            return
        kept = Kept(keeper, spot, nodes, is_sum, count)
        is_state = is_sum and not kept.scalar and not kept.joined
        if kept.ops < 3 or (is_state and count < LONG and not idle):
            return
        kept.idle = idle and is_state
        key = (keeper.path, spot)
        earlier = self.kept.get(key)
        kept.evaluated = not (of_eras or kept.idle)
        kept.since = len(self.marks) if earlier is None else earlier.since
        if earlier is None or (not earlier.used and earlier.count <= kept.count):
            self.kept[key] = kept

    def is_idle(self, nodes: list[Node]) -> bool:
        """Whether links go on and on, while values are taken from them and no pass runs."""
        if len(nodes) < IDLE or nodes[-1]._sequence < self.marks[-1]:
            return False
        if nodes[0]._made.name in JOINING:
            return False
        first, last = nodes[-1]._sequence, nodes[0]._sequence
        return sum(first < one < last for one in self.asked) >= ASKED


def names_of(frame: FrameType | None) -> dict[str, Any]:
    """The variables of the user's functions that run now, and the global ones."""
    names: dict[str, Any] = {}
    globals_ = {} if frame is None else frame.f_globals
    while frame is not None:
        if not is_foreign(frame.f_code.co_filename):
            names = locals_of(frame) | names
        frame = frame.f_back
    return globals_ | names


def locals_of(frame: FrameType) -> dict[str, Any]:
    """The variables of a function that runs; afterwards its frame holds no copy of them.

    Before Python 3.13 a frame keeps the dictionary that it shows, and what is in it stays alive
    after `del`: the program would not be what it is when nobody looks.
    """
    shown = frame.f_locals
    found = dict(shown)
    in_function = bool(frame.f_code.co_flags & CO_OPTIMIZED)
    if in_function and type(shown) is dict and sys.getrefcount(shown) <= UNSHARED:
        shown.clear()
    return found


def container(keeper: Keeper) -> tuple[Spot, list[Node]] | None:
    """The graphs in a container, one node each, and the line that made the last one."""
    nodes: dict[int, Node] = {}
    last = None
    for tensor in keeper.tensors:
        if tensor._requires_grad is False or not requires(tensor):
            continue
        node = graph_of(tensor)
        if node is not None and tensor._made is not None and tensor._made.spot is not None:
            nodes[id(node)] = node
            last = tensor._made.spot
    return None if last is None or len(nodes) < 3 else (last, list(nodes.values()))


def summed(tensor: TensorBase) -> tuple[Spot, list[Node]] | None:
    """The links of a sum, a join or a state that one line carries on and on."""
    node = graph_of(tensor)
    if node is None or node._made is None or node._made.spot is None:
        return None
    spot, kind = node._made.spot, type(node)
    is_state = tensor._array.ndim > 0 and node._made.name not in JOINING
    links = [node]
    while len(links) < 2000:
        following = next(on_line(node, spot, kind), None)
        if following is None and is_state:
            following = state_before(node, spot, kind)
        if following is None:
            break
        links.append(following)
        node = following
    return (spot, links) if len(links) >= 3 else None


def parts_of(links: list[Node]) -> list[Node]:
    """What the links of a sum add."""
    chain = set(links)
    found = (f for link in links for f in link._next if f is not None and f not in chain)
    return [node for node in found if not isinstance(node, AccumulateGrad)]


def name_of(value: Any, frame: FrameType) -> str:
    """The name of a list in a function; "the list" where it has none."""
    return next((name for name, one in locals_of(frame).items() if one is value), "the list")


def on_line(node: Node, spot: Spot, kind: type[Node]) -> Iterator[Node]:
    """The nodes of one kind and one line next above a node, or behind another of that line."""
    for following in node._next:
        if following is None or following._made is None or following._made.spot != spot:
            continue
        if type(following) is kind:
            yield following
            continue
        for further in following._next:
            if further is not None and type(further) is kind:
                if further._made is not None and further._made.spot == spot:
                    yield further


def state_before(node: Node, spot: Spot, kind: type[Node]) -> Node | None:
    """The nearest node of one kind and one line above a node, through other lines too."""
    seen = {node}
    waiting = deque([node])
    while waiting and len(seen) < NEAR:
        for following in waiting.popleft()._next:
            if following is None or following in seen:
                continue
            made = following._made
            if made is not None and made.spot == spot and type(following) is kind:
                return following
            seen.add(following)
            waiting.append(following)
    return None


def ops_above(node: Node, most: int) -> set[Node]:
    """The nodes above a node, itself included, leaves too; at most so many."""
    seen = {node}
    waiting = [node]
    while waiting and len(seen) < most:
        for following in waiting.pop()._next:
            if following is not None and following not in seen:
                seen.add(following)
                waiting.append(following)
    return seen


def are_apart(nodes: list[Node]) -> bool:
    """Whether no two of these graphs, one after the other, have a leaf in common."""
    leaves = [
        {one for one in ops_above(node, 400) if isinstance(one, AccumulateGrad)} for node in nodes
    ]
    return all(not (a & b) for a, b in itertools.pairwise(leaves))


def are_batches(nodes: list[Node]) -> bool:
    """Whether these are separate graphs over the same leaves, as of batches through one model."""
    ops: set[Node] = set()
    shared: set[Node] | None = None
    for node in nodes[:8]:
        above = ops_above(node, 400)
        leaves: set[Node] = {one for one in above if isinstance(one, AccumulateGrad)}
        if not leaves or ops & (above - leaves):
            return False
        ops |= above - leaves
        shared = leaves if shared is None else shared & leaves
    return bool(shared)
