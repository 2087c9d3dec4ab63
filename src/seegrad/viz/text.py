"""The graph as a tree of text, from the outputs to the leaves."""

from typing import Any

from seegrad.viz.model import Graph, Vertex
from seegrad.viz.names import variables
from seegrad.viz.reading import read

__all__ = ["text", "tree"]


def text(var: Any, params: Any = None) -> str:
    """The graph that leads to `var` as lines, the inputs of an operator indented under it.

    An operator that several others use is written once, with a number that they refer to.
    Chains of single inputs are not indented. Lines of the program are there under
    `explain.watch()`.

    Args:
        var: a tensor, or what a module returned.
        params: names for tensors: a dictionary, or a module; without, the caller's variables
            name them.

    >>> import seegrad as torch
    >>> from seegrad import viz
    >>> x = torch.ones(2, 3, requires_grad=True)
    >>> y = x.exp()
    >>> print(viz.text((y * y).sum()))
    sum ()
    mul (2, 3)
    ├─ [1] exp (2, 3)
    │  x (2, 3) leaf
    └─ [1] exp, as above
    """
    return tree(read(var, variables() if params is None else params))


def tree(graph: Graph) -> str:
    """A graph as lines."""
    marks = _marks(graph)
    inputs = {number: [edge.start for edge in edges] for number, edges in graph.inputs().items()}
    lines: list[str] = []
    written: set[int] = set()
    # Of each line to write: vertex, what precedes it, what precedes those under it.
    waiting = [(number, "", "") for number in reversed(graph.roots())]
    while waiting:
        number, head, margin = waiting.pop()
        vertex = graph.vertices[number]
        mark = f"[{marks[number]}] " if number in marks else ""
        if number in written:
            lines.append(f"{head}{mark}{vertex.name or 'tensor'}, as above")
            continue
        written.add(number)
        lines.append(head + mark + described(vertex))
        below = inputs[number]
        if len(below) == 1:
            waiting.append((below[0], margin, margin))
            continue
        for place in range(len(below) - 1, -1, -1):
            last = place == len(below) - 1
            arm, rest = ("└─ ", "   ") if last else ("├─ ", "│  ")
            waiting.append((below[place], margin + arm, margin + rest))
    return "\n".join(lines)


def _marks(graph: Graph) -> dict[int, int]:
    """Numbers for what is used more than once."""
    counts: dict[int, int] = {}
    for edge in graph.edges:
        counts[edge.start] = counts.get(edge.start, 0) + 1
    shared = [v.number for v in graph.vertices.values() if counts.get(v.number, 0) > 1]
    return {number: place for place, number in enumerate(shared, 1)}


def described(vertex: Vertex) -> str:
    """A vertex in one line."""
    parts = [vertex.name or "tensor", vertex.size]
    if vertex.dtype not in ("", "float32"):
        parts.append(vertex.dtype)
    if vertex.kind != "operator":
        parts.append(vertex.kind)
    if vertex.times > 1:
        parts.append(f"× {vertex.times:,}")
    if vertex.second:
        parts.append("(of a gradient)")
    if vertex.lost:
        parts.append(f"(saved values {vertex.lost})")
    if vertex.place:
        parts.append(f" {vertex.place}  {vertex.source}")
    return " ".join(part for part in parts if part)
