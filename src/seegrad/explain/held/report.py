"""What a graph holds, whose it is, and who holds the graph."""

import html
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import prod
from typing import Any, NamedTuple

import numpy as np

from seegrad.explain.brief import counted, size
from seegrad.explain.held.growth import summed
from seegrad.explain.held.holding import Chain, chains_to, cycles_through
from seegrad.explain.places import Place, users_frame
from seegrad.explain.saved import arrays_in, held_by
from seegrad.graph.edges import GradientEdge, edge_of
from seegrad.graph.node import AccumulateGrad, Node
from seegrad.graph.packed import PackedValue, flat
from seegrad.graph.tensor import TensorBase

__all__ = ["Memory", "Share", "memory"]

SHOWN = 8  # lines of each table
UNSEEN = "a line nobody saw (run under explain.watch())"
UNKNOWN = "unknown line (run under explain.watch())"


class Share(NamedTuple):
    """What one line, or one operator, has saved: bytes, and in how many nodes."""

    what: str
    bytes: int
    nodes: int


@dataclass(frozen=True)
class Memory:
    """What `explain.memory` found.

    `nodes`: how many nodes the graph has, leaves not counted. `saved`: bytes that it holds and
    that are freed with it; each storage counts once. `leaves`: bytes it saved that belong to its
    leaves, which stay anyway. `by_line`, `by_operator`: shares of `saved`, the largest first.
    `gradients`: bytes of the gradients that arrive at leaves. `peak`: bytes that are alive at most
    while backward runs, saved values and gradients, leaves not counted; what an operator needs
    besides for itself is not in it. `peak_at`: where that is. `freed_at`: where an earlier pass
    freed what was saved. `passes`: how many backward passes ran through parts of the graph: more
    than one where a loss or a state is carried on and on. `kept_by`: the variables, lists and
    cycles that keep the graph alive. `carried`: what is carried from step to step with its graph.
    `packed`: how many saved values hooks, as those of a checkpoint, have put elsewhere; these are
    not counted.
    """

    nodes: int
    saved: int
    leaves: int
    by_line: tuple[Share, ...]
    by_operator: tuple[Share, ...]
    gradients: int
    peak: int
    peak_at: str
    freed_at: str | None
    passes: int
    kept_by: tuple[Chain, ...]
    carried: str | None = None
    packed: int = 0

    def __str__(self) -> str:
        return "\n".join(f"{'  ' * depth}{text}" for depth, text in self._lines())

    def _lines(self) -> Iterator[tuple[int, str]]:
        """The report, each line with its depth."""
        if not self.nodes:
            yield 0, "a tensor without a graph: nothing is saved for it"
        else:
            yield 0, f"{counted(self.nodes, 'node')}, {size(self.saved)} saved for backward"
            if self.leaves:
                yield 1, f"and {size(self.leaves)} of leaves, which stay anyway"
            if self.packed:
                yield (
                    1,
                    f"{counted(self.packed, 'value')} packed by hooks (checkpoint) not counted",
                )
            if self.freed_at is not None:
                yield 1, f"what was saved is freed: backward ran at {self.freed_at}"
            if self.passes > 1:
                yield 1, f"{self.passes} backward passes ran through parts of it: it grows on"
            if self.carried is not None:
                yield 1, self.carried
            yield from table("by line", self.by_line)
            yield from table("by operator", self.by_operator)
            if self.freed_at is None or self.saved:
                yield 0, f"backward needs {size(self.peak)} at its peak, {self.peak_at}"
            if self.gradients:
                yield 1, f"{size(self.gradients)} of it stay as gradients of leaves"
        if self.kept_by:
            yield 0, "kept alive by"
            for chain in self.kept_by:
                yield 1, str(chain)

    def to_dict(self) -> dict[str, Any]:
        """The report as plain values, for JSON."""
        return {
            "nodes": self.nodes,
            "saved": self.saved,
            "leaves": self.leaves,
            "by_line": [share._asdict() for share in self.by_line],
            "by_operator": [share._asdict() for share in self.by_operator],
            "gradients": self.gradients,
            "peak": self.peak,
            "peak_at": self.peak_at,
            "freed_at": self.freed_at,
            "passes": self.passes,
            "kept_by": [chain.to_dict() for chain in self.kept_by],
            "carried": self.carried,
            "packed": self.packed,
        }

    def _repr_html_(self) -> str:
        rows = (
            f"<div style='margin-left:{depth}em'>{html.escape(text)}</div>"
            for depth, text in self._lines()
        )
        return f"<div style='font-family:monospace'>{''.join(rows)}</div>"

    def __rich__(self) -> Any:
        from rich.text import Text

        text = Text()
        for depth, line in self._lines():
            text.append("  " * depth + line + "\n", style="bold" if depth == 0 else "")
        return text


def table(title: str, shares: tuple[Share, ...]) -> Iterator[tuple[int, str]]:
    """The largest shares under a title."""
    if shares:
        yield 0, title
    for share in shares[:SHOWN]:
        yield 1, f"{size(share.bytes):>9}  {share.what} ({counted(share.nodes, 'node')})"
    if len(shares) > SHOWN:
        rest = sum(share.bytes for share in shares[SHOWN:])
        yield 1, f"{size(rest):>9}  {len(shares) - SHOWN} more"


def memory(tensors: Any) -> Memory:
    """What the graph of a tensor holds, and what keeps the tensor and the graph alive.

    Args:
        tensors: one tensor, or a sequence of tensors; nothing runs and nothing changes.

    Returns a `Memory`, which prints as a table. Lines are known under `explain.watch()`.

    Raises TypeError for what is no tensor.

    >>> import seegrad as torch
    >>> from seegrad import explain
    >>> w = torch.ones(100, 10, requires_grad=True)
    >>> found = explain.memory((w * 2).exp().sum())
    >>> found.saved, [(share.what, share.bytes) for share in found.by_operator]
    (4000, [('ExpBackward0', 4000)])
    """
    given = [tensors] if isinstance(tensors, (TensorBase, GradientEdge)) else tensors
    if not isinstance(given, (list, tuple)) or not all(
        isinstance(one, (TensorBase, GradientEdge)) for one in given
    ):
        raise TypeError(f"memory wants a tensor or a sequence of them, not {tensors!r}")
    frame = users_frame()
    roots = [node for node, _ in map(edge_of, given) if node is not None]
    nodes = graph_above(roots)
    ops = [node for node in nodes if not isinstance(node, AccumulateGrad)]
    holdings = Holdings(nodes)
    peak, peak_at, gradients = simulated(ops, roots, holdings)
    passes = {node._freed_by.number: node._freed_by for node in ops if node._freed_by is not None}
    freed = passes[max(passes)] if passes else None
    return Memory(
        len(ops),
        sum(holdings.own.values()),
        sum(holdings.of_leaves.values()),
        shares((place_text(node), count, node) for node, count in holdings.shares()),
        shares((operator_text(node), count, node) for node, count in holdings.shares()),
        gradients,
        peak,
        peak_at,
        freed_text(freed, ops),
        len(passes),
        (*chains_to(given, roots, frame), *cycles_through(nodes, frame)),
        carried(given),
        sum(map(packed_by, ops)),
    )


def freed_text(freed: Any, ops: Iterable[Node]) -> str | None:
    """The line of the pass that freed a part of a graph last; None where nothing is freed."""
    if freed is not None and freed.place is not None:
        return str(freed.place)
    return UNSEEN if any(node._saved is None for node in ops) else None


def carried(given: Iterable[Any]) -> str | None:
    """In a sentence, the line through which the history of a tensor runs again and again."""
    for one in given:
        links = summed(one) if isinstance(one, TensorBase) else None
        if links is not None:
            (code, line), nodes = links
            return (
                f"its history runs through {Place(code, line)} again and again "
                f"({counted(len(nodes), 'node')}): what that line carries on is never detached"
            )
    return None


def packed_by(node: Node) -> int:
    """How many saved values of a node hooks have put elsewhere."""
    values = flat(node) if node._saved else ()
    return sum(value.__class__ is PackedValue for value in values)


def graph_above(roots: Iterable[Node]) -> list[Node]:
    """All nodes of a graph, in the order in which backward runs them."""
    found = dict.fromkeys(roots)
    waiting = list(found)
    while waiting:
        for following in waiting.pop()._next:
            if following is not None and following not in found:
                found[following] = None
                waiting.append(following)
    return sorted(found, key=lambda node: -node._sequence)


def storage(array: Any) -> tuple[int, int]:
    """The memory that an array shows: what tells it from others, and its bytes."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return id(array), array.nbytes


class Holdings:
    """The storages that the nodes of a graph hold; each is of the node that saved it first."""

    def __init__(self, nodes: list[Node]) -> None:
        leaves = [node.variable for node in nodes if isinstance(node, AccumulateGrad)]
        self.of_leaves: dict[int, int] = {}
        self.own: dict[int, int] = {}
        self.owner: dict[int, Node] = {}
        self.by_node: dict[Node, set[int]] = {}
        known = dict(storage(leaf._array) for leaf in leaves)
        for node in reversed(nodes):  # as they were made
            for held in held_by(node):
                for array in arrays_in(held.value):
                    key, count = storage(array)
                    if key in known:
                        self.of_leaves[key] = known[key]
                        continue
                    self.own[key] = count
                    self.owner.setdefault(key, node)
                    self.by_node.setdefault(node, set()).add(key)

    def shares(self) -> Iterator[tuple[Node, int]]:
        """Each storage's node, and its bytes."""
        return ((node, self.own[key]) for key, node in self.owner.items())


def shares(found: Iterable[tuple[str, int, Node]]) -> tuple[Share, ...]:
    """Bytes summed by what they belong to, the largest first."""
    bytes_of: dict[str, int] = {}
    nodes_of: dict[str, set[Node]] = {}
    for what, count, node in found:
        bytes_of[what] = bytes_of.get(what, 0) + count
        nodes_of.setdefault(what, set()).add(node)
    ranked = sorted(bytes_of, key=lambda what: -bytes_of[what])
    return tuple([Share(what, bytes_of[what], len(nodes_of[what])) for what in ranked])


def place_text(node: Node) -> str:
    """The line of a node, with its text."""
    place: Place | None = None if node._made is None else node._made.place
    return UNKNOWN if place is None else f"{place}: {place.text}"


def operator_text(node: Node) -> str:
    """The name of a node."""
    return node.name().rpartition("::")[2]


def gradient_bytes(node: Node) -> int:
    """The bytes of the gradient that arrives at a node."""
    if node._shape is not None:
        kind = node._dtype
        if kind is None:
            kind = node.variable._array.dtype if isinstance(node, AccumulateGrad) else None
        return 0 if kind is None else prod(node._shape) * kind.itemsize
    pairs = zip(node._shapes, node._dtypes, strict=False)
    return sum(prod(shape) * kind.itemsize for shape, kind in pairs if kind is not None)


def simulated(ops: list[Node], roots: list[Node], holdings: Holdings) -> tuple[int, str, int]:
    """The most bytes alive during backward, where that is, and what stays in leaves' gradients.

    Reckoned from the shapes alone: a node's gradients appear, then what it saved and the gradient
    it was given go.
    """
    users: dict[int, int] = {}
    for keys in holdings.by_node.values():
        for key in keys:
            users[key] = users.get(key, 0) + 1
    saved = sum(holdings.own.values())
    waiting = {node: gradient_bytes(node) for node in dict.fromkeys(roots)}
    flowing = sum(waiting.values())
    gradients = 0
    peak, where = saved + flowing, "before it begins"
    for node in ops:
        made = 0
        for following in dict.fromkeys(node._next):
            if following is None or following in waiting:
                continue
            waiting[following] = count = gradient_bytes(following)
            made += count
            if isinstance(following, AccumulateGrad):
                gradients += count if following.variable._grad is None else 0
        flowing += made
        if saved + flowing > peak:
            peak = saved + flowing
            made_by = node._made
            line = "" if made_by is None or made_by.place is None else f" of {made_by.place}"
            where = f"at {node.name().rpartition('::')[2]}{line}"
        flowing -= waiting.get(node, 0)
        for key in holdings.by_node.get(node, ()):
            users[key] -= 1
            if not users[key]:
                saved -= holdings.own[key]
    return peak, where, gradients
