"""A graph in the form that the page reads: places, boxes by kind, what runs when."""

from typing import Any

from seegrad.viz.layout import dissolve_cycles, place
from seegrad.viz.model import Graph, Vertex
from seegrad.viz.page import page
from seegrad.viz.svg import label_of, room

__all__ = ["html"]

_KINDS = {"operator": "node", "output": "root"}


def html(graph: Graph, title: str = "seegrad") -> str:
    """The page of a graph: one file, the loss above and the leaves below, as gradients flow."""
    graph = graph.copy()
    dissolve_cycles(graph)
    labels = {v.number: label_of(v, "backward") for v in graph.vertices.values()}
    layout = place(graph, {number: room([*lines[:2], ""]) for number, lines in labels.items()})
    order = {v.number: turn for turn, v in enumerate(reversed(list(graph.in_order())))}
    nodes = []
    for vertex in graph.vertices.values():
        box = layout.boxes[vertex.number]
        nodes.append(
            _facts(vertex)
            | {"x": box.middle, "y": layout.height - box.y - box.height / 2,
               "w": box.width, "h": 34, "order": order[vertex.number]}
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
        "saved": [{"name": n, "shape": str(s), "bytes": None} for n, s, _ in vertex.saved],
    }
