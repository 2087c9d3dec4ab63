"""Who wrote in place into what a picture shows: known where a watch was open meanwhile."""

from collections.abc import Iterable, Iterator
from typing import Any

from seegrad.explain.record import Write, is_write, noted_writes
from seegrad.graph.counters import CUT
from seegrad.viz.model import Vertex

__all__ = ["add_writes", "overwritten_by", "writes_of_nodes"]


def add_writes(tensor: Any, vertex: Vertex) -> None:
    """The writes into the memory of a tensor, on its vertex."""
    counter = getattr(tensor, "_counter", None)
    if counter is not None:
        _add(vertex, noted_writes(counter))


def overwritten_by(error: Exception, vertex: Vertex) -> None:
    """The writes that the error of a stale saved value is about."""
    facts: dict[str, Any] = getattr(error, "facts", {})
    if "counter" in facts:
        saved = facts["version"]
        writes = noted_writes(facts["counter"])
        _add(vertex, [w for w in writes if w.version is None or w.version % CUT > saved])


def writes_of_nodes(nodes: dict[int, Any], vertices: dict[int, Vertex]) -> None:
    """The writes that are nodes themselves, on their own vertex and on that of what they wrote to.

    `nodes`: by the number of their vertex.
    """
    made = {n: one for n, node in nodes.items() if (one := getattr(node, "_made", None))}
    known: dict[int, int] = {}  # of several nodes of one call the one that made its result
    for number, one in made.items():
        known.setdefault(id(one), number)
    for number, one in made.items():
        if (is_write(one.name) or one.name == "__setitem__") and one.place is not None:
            write = Write(one.name, one.place, None)
            _add(vertices[number], [write])
            before = known.get(id(one.parents[0])) if one.parents else None
            if before is not None:
                _add(vertices[before], [write])


def _add(vertex: Vertex, writes: Iterable[Write]) -> None:
    vertex.writes = list(dict.fromkeys([*vertex.writes, *_told(writes)]))


def _told(writes: Iterable[Write]) -> Iterator[str]:
    for write in writes:
        if write.place is None:
            yield write.name
        else:
            yield f"{write.place}  {write.place.text}"
