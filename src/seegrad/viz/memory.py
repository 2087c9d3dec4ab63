"""How much each line of a program has saved, as `explain.memory` counts it; of PyTorch's too."""

from typing import Any

from seegrad.explain.held.report import storage
from seegrad.viz.model import Line, Vertex

__all__ = ["lines_of"]


def lines_of(
    held: dict[int, list[Any]], nodes: dict[int, Any], vertices: dict[int, Vertex]
) -> list[Line]:
    """The lines of a graph, those that saved most first.

    `held`: tensors that nodes saved, by the number of their vertex. `nodes`: of vertices.
    """
    leaves = (node.variable for node in nodes.values() if hasattr(node, "variable"))
    known = {_storage(leaf)[0] for leaf in leaves}
    found: dict[str, Line] = {}
    for number in sorted(held, key=lambda number: vertices[number].sequence):
        vertex = vertices[number]
        line = found.setdefault(vertex.place, Line(vertex.place, vertex.source))
        for tensor in held[number]:
            key, count = _storage(tensor)
            if key not in known:
                known.add(key)
                line.bytes += count
                if vertex.name not in line.operators:
                    line.operators.append(vertex.name)
    lines = [line for line in found.values() if line.bytes]
    return sorted(lines, key=lambda line: -line.bytes)


def _storage(tensor: Any) -> tuple[int, int]:
    """The memory that a tensor shows: what tells it from others, and its bytes."""
    if hasattr(tensor, "_array"):
        return storage(tensor._array)
    try:
        whole = tensor.untyped_storage()
    except RuntimeError:  # a sparse tensor has none
        return id(tensor), 0
    return whole.data_ptr() or id(tensor), whole.nbytes()
