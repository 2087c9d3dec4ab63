"""A graph in the form that the page reads: places, boxes by kind, what runs when."""

import functools
import inspect
import math
from heapq import heapify, heappop, heappush
from typing import Any

from seegrad.rules.spec import REGISTRY
from seegrad.viz.blocks import blocks
from seegrad.viz.layout import Layout, Rect, Wire, dissolve_cycles, place
from seegrad.viz.model import Edge, Graph, Vertex
from seegrad.viz.modules import is_custom
from seegrad.viz.page import page
from seegrad.viz.svg import width_of

__all__ = ["html"]

_KINDS = {"operator": "node", "output": "root"}
MOST = 8_000  # boxes that a page shows one by one


def html(graph: Graph, title: str = "seegrad") -> str:
    """The page of a graph: one file, the loss above and the leaves below, as gradients flow.

    Of more than MOST boxes those that follow each other are taken together, and the page says so.
    """
    whole = len(graph.vertices)
    graph = dissolve_cycles(graph if whole <= MOST else blocks(graph, MOST // 2))
    layout = place(graph, {v.number: (_width(v), 40.0) for v in graph.vertices.values()})
    turns = _turns(graph)
    nodes = []
    for vertex in graph.vertices.values():
        box = layout.boxes[vertex.number]
        nodes.append(
            _facts(vertex) | _place(box, layout.height) | {"order": turns.get(vertex.number)}
        )
    return page(
        {
            "title": title,
            "nodes": nodes,
            "edges": [
                {
                    "from": wire.edge.end,
                    "to": wire.edge.start,
                    "kind": wire.edge.kind,
                    "cut": _reason(wire.edge, graph),
                    "way": _way(wire.points, layout.height),
                    "joins": _joined(wire, layout),
                }
                for wire in layout.wires
            ],
            "groups": [
                {"id": "/".join(g), "label": graph.title(g), "parent": "/".join(g[:-1]) or None}
                | _place(layout.frames[g], layout.height)
                for g in graph.groups()
            ],
            "lines": [
                {
                    "place": line.place or None,
                    "source": line.source or None,
                    "bytes": line.bytes,
                    "operators": ", ".join(line.operators),
                }
                for line in graph.lines
            ],
            "notice": _notice(whole, len(nodes)) if whole > MOST else _folded(graph),
        }
    )


def _place(box: Rect, height: float) -> dict[str, float]:
    """The middle of a box, and its size; as gradients flow from above to below."""
    return {"x": round(box.middle, 1), "y": round(height - box.y - box.height / 2, 1),
            "w": round(box.width, 1), "h": round(box.height, 1)}  # fmt: skip


def _notice(whole: int, shown: int) -> dict[str, str]:
    return {
        "en": f"{whole:,} boxes are shown as {shown:,}: those that follow each other together.",
        "ko": f"상자 {whole:,}개를 이어지는 것끼리 묶어 {shown:,}개로 보여 줍니다.",
    }


def _folded(graph: Graph) -> dict[str, str] | None:
    if not graph.folded:
        return None
    shown = len(graph.vertices)
    whole = shown + graph.folded
    return {
        "en": f"{whole:,} boxes are shown as {shown:,}: what repeats is drawn once "
        "(folded=False draws all).",
        "ko": f"상자 {whole:,}개를 {shown:,}개로 보여 줍니다: 되풀이되는 것은 한 번만 그립니다 "
        "(folded=False는 모두 그립니다).",
    }


def _reason(edge: Edge, graph: Graph) -> str | None:
    """What cut a line."""
    if edge.kind != "cut":
        return None
    ends = (graph.vertices[edge.start], graph.vertices[edge.end])
    return next((one.name for one in ends if one.kind == "cut"), "cut")


def _turns(graph: Graph) -> dict[int, int]:
    """When each node runs in a backward pass: Note [Sequence numbers] of the graph."""
    waiting = dict.fromkeys(graph.vertices, 0)  # gradients that still have to arrive
    sources: dict[int, list[int]] = {number: [] for number in graph.vertices}
    for edge in graph.edges:
        if edge.kind == "data":
            waiting[edge.start] += 1
            sources[edge.end].append(edge.start)
    ready = [(-v.sequence, v.number) for v in graph.vertices.values() if not waiting[v.number]]
    heapify(ready)
    turns: dict[int, int] = {}
    while ready:
        number = heappop(ready)[1]
        if graph.vertices[number].node:  # neither an output, nor a saved tensor, nor a cut
            turns[number] = len(turns)
        for source in sources[number]:
            waiting[source] -= 1
            if not waiting[source]:
                heappush(ready, (-graph.vertices[source].sequence, source))
    return turns


def _joined(wire: Wire, layout: Layout) -> tuple[int, int] | None:
    """The line that a line runs into, and at which point of `_way` there."""
    if wire.joins is None:
        return None
    other, at = wire.joins
    return other, len(layout.wires[other].points) - 1 - at


def _way(points: list[tuple[float, float]], height: float) -> list[float]:
    """The points of a line, x and y in turn, in the direction in which gradients flow."""
    return [round(one, 1) for x, y in reversed(points) for one in (x, height - y)]


@functools.cache
def _formula(node: str) -> str | None:
    """The lines of the table of derivatives that a node comes from."""
    operator = next((one for one in REGISTRY.values() if one.node == node), None)
    if operator is None or not operator.formulas:
        return None
    texts = [inspect.getsource(one).strip() for one in operator.formulas.values()]
    return "\n".join(dict.fromkeys(texts))


def _kind(vertex: Vertex) -> str:
    """By what the page colours a box."""
    if vertex.second:
        return "double"
    return "custom" if is_custom(vertex) else _KINDS.get(vertex.kind, vertex.kind)


def _facts(vertex: Vertex) -> dict[str, Any]:
    return {
        "id": vertex.number,
        "label": vertex.node or vertex.name,
        "name": vertex.name,
        "kind": _kind(vertex),
        "shape": None if vertex.shape is None else list(vertex.shape),
        "dtype": vertex.dtype,
        "place": vertex.place or None,
        "source": vertex.source or None,
        "formula": _formula(vertex.node),
        "writes": vertex.writes,
        "grad": vertex.gradient,
        "lost": vertex.lost or None,
        "inside": vertex.inside or None,
        "times": vertex.times if vertex.times > 1 else None,
        "group": "/".join(vertex.group) or None,
        "saved": [
            {"name": n, "shape": str(s), "bytes": _bytes(s, kind)} for n, s, kind in vertex.saved
        ],
    }


def _width(vertex: Vertex) -> float:
    """Of a box with two lines: the node, and below it the operator; or a tensor and its shape."""
    if vertex.kind == "operator":
        first, second = vertex.node, f"{vertex.name} {vertex.size}"
    else:
        first, second = vertex.name or vertex.kind, vertex.size
    return max(13 * width_of(first), 11 * width_of(second)) + 20


def _bytes(shape: tuple[int, ...], kind: str) -> int:
    """How much a tensor of this dtype holds: its name ends with its bits, but for bool."""
    digits = "".join(c for c in kind if c.isdigit())
    return math.prod(shape) * (int(digits) // 8 if digits else 1)
