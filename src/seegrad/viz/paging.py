"""A graph in the form that the page reads: places, boxes by kind, what runs when."""

import math
from typing import Any

from seegrad.viz.layout import dissolve_cycles, place
from seegrad.viz.model import Graph, Vertex
from seegrad.viz.page import page
from seegrad.viz.svg import width_of

__all__ = ["html"]

_KINDS = {"operator": "node", "output": "root"}


def html(graph: Graph, title: str = "seegrad") -> str:
    """The page of a graph: one file, the loss above and the leaves below, as gradients flow."""
    graph = graph.copy()
    dissolve_cycles(graph)
    layout = place(graph, {v.number: (_width(v), 40.0) for v in graph.vertices.values()})
    order = {v.number: turn for turn, v in enumerate(reversed(list(graph.in_order())))}
    nodes = []
    for vertex in graph.vertices.values():
        box = layout.boxes[vertex.number]
        nodes.append(
            _facts(vertex)
            | {"x": box.middle, "y": layout.height - box.y - box.height / 2,
               "w": box.width, "h": box.height, "order": order[vertex.number]}
        )  # fmt: skip
    return page(
        {
            "title": title,
            "nodes": nodes,
            "edges": [
                {"from": e.end, "to": e.start, "cut": e.kind if e.kind == "cut" else None}
                for e in graph.edges
            ],
            "groups": [
                {"id": "/".join(g), "label": graph.title(g), "parent": "/".join(g[:-1]) or None}
                for g in graph.groups()
            ],
        }
    )


def _facts(vertex: Vertex) -> dict[str, Any]:
    return {
        "id": vertex.number,
        "label": vertex.node or vertex.name,
        "name": vertex.name,
        "kind": "double" if vertex.second else _KINDS.get(vertex.kind, vertex.kind),
        "shape": None if vertex.shape is None else list(vertex.shape),
        "dtype": vertex.dtype,
        "place": vertex.place or None,
        "source": vertex.source or None,
        "group": "/".join(vertex.group) or None,
        "saved": [
            {"name": n, "shape": str(s), "bytes": _bytes(s, kind)} for n, s, kind in vertex.saved
        ],
    }


def _width(vertex: Vertex) -> float:
    """Of a box with two lines: the node, and below it the operator or leaf with its shape."""
    below = f"{vertex.name} {vertex.size}"
    return max(13 * width_of(vertex.node or vertex.name), 11 * width_of(below)) + 20


def _bytes(shape: tuple[int, ...], kind: str) -> int:
    """How much a tensor of this dtype holds: its name ends with its bits, but for bool."""
    digits = "".join(c for c in kind if c.isdigit())
    return math.prod(shape) * (int(digits) // 8 if digits else 1)
