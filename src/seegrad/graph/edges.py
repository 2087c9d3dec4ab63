"""Edges: where a gradient goes, as users hold it."""

from typing import Any, NamedTuple

from seegrad.graph.node import Node
from seegrad.graph.views import gradient_edge

__all__ = ["GradientEdge", "edge_of"]


class GradientEdge(NamedTuple):
    """Where a gradient goes: a node, and which of its outputs."""

    node: Node
    output_nr: int
    ownership_token: Any = None


GradientEdge.__module__ = "torch.autograd.graph"


def edge_of(value: Any) -> tuple[Node | None, int]:
    """Node and output number of a tensor, or of a GradientEdge."""
    if isinstance(value, GradientEdge):
        return value.node, value.output_nr
    return gradient_edge(value), value._nr
