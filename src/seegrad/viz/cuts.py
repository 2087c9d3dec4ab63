"""What a watch knows of values that came without their history: dashed lines with the reason."""

from typing import Any

from seegrad.viz.model import Edge, Graph

__all__ = ["cuts_of"]

FAR = 1000  # calls that are looked back through


def cuts_of(nodes: dict[int, Any], graph: Graph, names: dict[int, tuple[str, Any]]) -> None:
    """Adds, for each operator that used a cut value, what cut it and what it came from.

    `nodes`: those of the vertices. `names`: of tensors, by their id. Without a watch nodes have no
    `_made`, and nothing is added.
    """
    seen: set[Any] = set()
    edges: dict[Edge, None] = {}
    known: dict[int, int] = {}  # vertices by the id of their provenance
    for number, node in nodes.items():
        made = _made(node)
        if made is not None:
            known.setdefault(id(made), number)
    cuts: dict[int, int] = {}
    called = {id(made): name for name, t in names.values() if (made := getattr(t, "_made", None))}
    for number, node in nodes.items():
        made = _made(node)
        if made is None or graph.vertices[number].kind != "operator" or made in seen:
            continue
        seen.add(made)
        for parent in made.parents:
            if parent.live and not parent.recorded:
                for origin, cut in _origins(parent):
                    if id(cut) not in cuts:
                        cuts[id(cut)] = _box(cut, graph)
                    start = _vertex(origin, known, graph, called)
                    edges[Edge(start, cuts[id(cut)], "cut")] = None
                    edges[Edge(cuts[id(cut)], number, "cut")] = None
    graph.edges += edges


def _made(node: Any) -> Any:
    variable = getattr(node, "variable", None)
    return getattr(node if variable is None else variable, "_made", None)


def _origins(value: Any) -> list[tuple[Any, Any]]:
    """What requires a gradient and a value without history was made of, each with what cut it."""
    found: dict[int, tuple[Any, Any]] = {}
    seen: set[int] = set()
    waiting = [value]
    while waiting and len(seen) < FAR:
        made = waiting.pop()
        if id(made) in seen:
            continue
        seen.add(id(made))
        for parent in made.parents:
            if parent.recorded:
                found.setdefault(id(parent), (parent, made))
            elif parent.live:
                waiting.append(parent)
    return list(found.values())


def _box(cut: Any, graph: Graph) -> int:
    """The box that says what cut a value, and where."""
    word, place = (cut.name, cut.place) if cut.undone is None else cut.undone
    vertex = graph.new("cut", word.removesuffix(".__get__"))
    vertex.shape = tuple(cut.shape)
    if place is not None:
        vertex.place, vertex.source = str(place), place.text
    return vertex.number


def _vertex(origin: Any, known: dict[int, int], graph: Graph, called: dict[int, str]) -> int:
    """The vertex of what a value came from; a new one where nothing else in the graph did."""
    if id(origin) not in known:
        name = called.get(id(origin), "" if origin.name == "leaf" else origin.name)
        kind = "leaf" if id(origin) in called and not origin.parents else "saved"
        vertex = graph.new(kind, name)
        vertex.shape = tuple(origin.shape)
        if origin.place is not None:
            vertex.place, vertex.source = str(origin.place), origin.place.text
        known[id(origin)] = vertex.number
    return known[id(origin)]
