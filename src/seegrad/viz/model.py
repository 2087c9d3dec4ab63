"""The graph that every picture is made of: vertices, edges, groups.

Read from `grad_fn`, `next_functions`, `_saved_*` and what nodes know of their own gradient (name,
`_input_metadata`, `metadata`), so that PyTorch's graphs are drawn as well as ours. What a watch
noted is used where it is there.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

__all__ = ["REPEAT", "Edge", "Graph", "Line", "Vertex", "common"]

REPEAT = "repeat "  # begins the name of a group that is no module: what is repeated


@dataclass(slots=True)
class Vertex:
    """A box of a picture."""

    number: int
    kind: str  # "operator", "leaf", "parameter", "output", "saved", "cut"
    name: str  # "mul", or the name of a tensor
    node: str = ""  # "MulBackward0"
    shape: tuple[int, ...] | None = None
    dtype: str = ""
    place: str = ""  # "script.py:12"
    source: str = ""  # the text of that line
    group: tuple[str, ...] = ()  # ("encoder", "layer", "0"), the outermost first
    saved: list[tuple[str, tuple[int, ...], str]] = field(default_factory=list)
    writes: list[str] = field(default_factory=list)  # "script.py:12  x += 1": in place
    gradient: dict[str, Any] | None = None  # what arrived, where it was noted
    lost: str = ""  # "freed", "overwritten": why what it saved cannot be read
    second: bool = False  # made while a gradient was computed
    times: int = 1  # stands for so many
    inside: str = ""  # "mul 12, sin 13": the others that it stands for
    sequence: int = 0  # of the nodes whose gradients are there, that with the highest runs first

    @property
    def size(self) -> str:
        """The shape as text, '' where it is not known."""
        return "" if self.shape is None else f"({', '.join(map(str, self.shape))})"


@dataclass(frozen=True, slots=True)
class Edge:
    """From what was computed first to what was computed from it; numbers of vertices."""

    start: int
    end: int
    kind: str = "data"  # "data", "saved", "cut"


@dataclass(slots=True)
class Line:
    """What a line of the program has saved for the way back."""

    place: str  # "script.py:12", "" where it is not known
    source: str
    bytes: int = 0  # each storage counts once, where it was saved first; leaves' own do not
    operators: list[str] = field(default_factory=list)


@dataclass
class Graph:
    """Vertices by number, edges between them, and how often a repeated group stands for itself."""

    vertices: dict[int, Vertex] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)
    repeats: dict[tuple[str, ...], int] = field(default_factory=dict)
    folded: int = 0  # how many nodes of the whole graph are not drawn by themselves
    lines: list[Line] = field(default_factory=list)  # those that saved most first

    def new(self, kind: str, name: str, **facts: Any) -> Vertex:
        """A vertex more."""
        number = len(self.vertices)
        vertex = self.vertices[number] = Vertex(number, kind, name, **facts)
        return vertex

    def copy(self) -> "Graph":
        """The same graph with vertices of its own."""
        vertices = {number: replace(vertex) for number, vertex in self.vertices.items()}
        return Graph(vertices, self.edges.copy(), self.repeats.copy(), self.folded, self.lines)

    def title(self, group: tuple[str, ...]) -> str:
        """What is written on a group: its last name, and how often it is there."""
        name = "" if group[-1].startswith(REPEAT) else group[-1]
        times = self.repeats.get(group)
        return f"{name} × {times:,}".strip() if times else name

    def groups(self) -> list[tuple[str, ...]]:
        """Every group that has a vertex, outer ones first."""
        found = {v.group[:n] for v in self.vertices.values() for n in range(1, len(v.group) + 1)}
        return sorted(found, key=lambda group: (len(group), group))

    def inputs(self) -> dict[int, list[Edge]]:
        """The edges that end at each vertex, in order."""
        found: dict[int, list[Edge]] = {number: [] for number in self.vertices}
        for edge in self.edges:
            found[edge.end].append(edge)
        return found

    def roots(self) -> list[int]:
        """The vertices that nothing was computed from: the outputs."""
        used = {edge.start for edge in self.edges}
        return [number for number in self.vertices if number not in used]

    def in_order(self) -> Iterator[Vertex]:
        """Every vertex after all that it was computed from."""
        needs = {number: len(edges) for number, edges in self.inputs().items()}
        users: dict[int, list[int]] = {number: [] for number in self.vertices}
        for edge in self.edges:
            users[edge.start].append(edge.end)
        ready = [number for number, count in needs.items() if count == 0][::-1]
        while ready:
            number = ready.pop()
            yield self.vertices[number]
            for user in users[number]:
                needs[user] -= 1
                if needs[user] == 0:
                    ready.append(user)

    def to_dict(self) -> dict[str, Any]:
        """The graph as plain JSON."""
        return {
            "nodes": [
                {"id": v.number, "kind": v.kind, "name": v.name, "node": v.node,
                 "shape": None if v.shape is None else list(v.shape), "dtype": v.dtype,
                 "place": v.place, "source": v.source, "group": list(v.group),
                 "saved": [{"name": n, "shape": list(s), "dtype": d} for n, s, d in v.saved],
                 "writes": v.writes, "gradient": v.gradient, "lost": v.lost,
                 "second": v.second, "times": v.times}
                for v in self.vertices.values()
            ],
            "edges": [
                {"from": e.start, "to": e.end, "kind": e.kind}
                for e in self.edges
            ],
            "groups": [
                {"path": list(group), "times": self.repeats.get(group, 1)}
                for group in self.groups()
            ],
        }  # fmt: skip


def common(groups: list[tuple[str, ...]]) -> tuple[str, ...]:
    """The innermost group that all of them are in."""
    first, last = min(groups), max(groups)
    same = 0
    while same < min(len(first), len(last)) and first[same] == last[same]:
        same += 1
    return first[:same]
