"""Which module computed what: boxes around the vertices of a picture.

A forward hook notes on each new node, in its `metadata`, the modules that it was made in. Where
nobody noted anything, an operator that reads the parameters of one module (by their names,
"encoder.0.weight") is taken to belong there.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from seegrad.viz.model import Edge, Graph, Vertex, common

__all__ = ["functions_of", "groups_of", "is_custom", "modules", "note_call", "notes_on"]

_KEY = "modules"  # in the metadata of a node


@contextmanager
def modules(model: Any) -> Iterator[Any]:
    """What `model` computes from here on is drawn in boxes, one for each module.

    >>> import seegrad as torch
    >>> from seegrad import viz
    >>> net = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Tanh())
    >>> with viz.modules(net):
    ...     out = net(torch.ones(1, 2))
    >>> viz.graph(out).model.groups()
    [('net',), ('net', '0'), ('net', '1')]
    """
    handles = [
        module.register_forward_hook(note_call, with_kwargs=True) for module in model.modules()
    ]
    try:
        yield model
    finally:
        for handle in handles:
            handle.remove()


def note_call(module: Any, args: Any, kwargs: Any, output: Any) -> None:
    """Notes on the nodes between the arguments and the output of a call that `module` made them.

    Modules inside of it have noted theirs before.
    """
    seen = {id(t.grad_fn) for t in _tensors((args, kwargs)) if t.grad_fn is not None}
    waiting = [t.grad_fn for t in _tensors(output) if t.grad_fn is not None]
    while waiting:
        node = waiting.pop()
        if id(node) in seen or hasattr(node, "variable"):
            continue
        seen.add(id(node))
        makers = node.metadata.setdefault(_KEY, [])
        if any(maker is module for maker in makers):
            continue  # of an earlier call
        makers.append(module)
        waiting += [following for following, _ in node.next_functions if following is not None]


def _tensors(value: Any) -> Iterator[Any]:
    if hasattr(value, "grad_fn"):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from _tensors(one)
    elif isinstance(value, (tuple, list)):
        for one in value:
            yield from _tensors(one)


def notes_on(node: Any) -> dict[str, Any]:
    """The metadata of a node; ours has none until it is asked for."""
    found: dict[str, Any] | None = node._metadata if hasattr(node, "_metadata") else node.metadata
    return found or {}


def groups_of(nodes: dict[int, Any], graph: Graph, names: dict[int, tuple[str, Any]]) -> None:
    """Gives every vertex the module that it belongs to.

    `nodes`: those of the vertices. `names`: of tensors, by their id.
    """
    noted = {number: makers for number, n in nodes.items() if (makers := notes_on(n).get(_KEY))}
    if noted:
        _by_notes(noted, nodes, graph, names)
        _to_users(graph, "parameter")
    else:
        _by_names(graph)
    _to_users(graph, "saved")


def functions_of(nodes: dict[int, Any], graph: Graph) -> None:
    """Gives what the backward of a custom Function recorded a box: "Cube.backward".

    Known under a watch, by the line. `nodes`: those of the vertices.
    """
    custom = {v.node for v in graph.vertices.values() if is_custom(v)}
    for number, node in nodes.items():
        place = getattr(getattr(node, "_made", None), "place", None)
        name = "" if place is None else place.code.co_qualname.rpartition("<locals>.")[2]
        owner, _, method = name.rpartition(".")
        if method in ("backward", "vjp") and f"{owner}Backward" in custom:
            graph.vertices[number].group += (name,)


def is_custom(vertex: Vertex) -> bool:
    """Whether this is the node of a custom Function: its class has no number."""
    return vertex.kind == "operator" and vertex.node.endswith("Backward")


def _by_notes(
    noted: dict[int, list[Any]],
    nodes: dict[int, Any],
    graph: Graph,
    names: dict[int, tuple[str, Any]],
) -> None:
    paths: dict[int, dict[int, str]] = {}
    titles: dict[int, str] = {}
    roots: list[Any] = []
    for number, makers in noted.items():
        root = makers[-1]
        if id(root) not in paths:
            roots.append(root)
            paths[id(root)] = {id(module): name for name, module in root.named_modules()}
            titles[id(root)] = _title(root, names)
        inner = paths[id(root)].get(id(makers[0]), "")
        graph.vertices[number].group = (titles[id(root)], *(inner.split(".") if inner else []))
    _name_parameters(roots, titles, nodes, graph)


def _name_parameters(
    roots: list[Any], titles: dict[int, str], nodes: dict[int, Any], graph: Graph
) -> None:
    """Parameters that nothing else names have the names that their module gives them."""
    named = {
        id(parameter): f"{titles[id(root)]}.{path}"
        for root in roots
        for path, parameter in root.named_parameters()
    }
    for number, node in nodes.items():
        vertex = graph.vertices[number]
        if not vertex.name and hasattr(node, "variable"):
            vertex.name = named.get(id(node.variable), "")


def _title(root: Any, names: dict[int, tuple[str, Any]]) -> str:
    """What the program calls a module, as the names of its parameters begin; else its class."""
    for path, parameter in root.named_parameters():
        name = names.get(id(parameter), ("", None))[0]
        if name.endswith(f".{path}"):
            return name.removesuffix(f".{path}")
    return type(root).__name__


def _to_users(graph: Graph, kind: str) -> None:
    """A box beside an operator is drawn where it is used."""
    users: dict[int, list[tuple[str, ...]]] = {}
    for edge in graph.edges:
        users.setdefault(edge.start, []).append(graph.vertices[edge.end].group)
    for vertex in graph.vertices.values():
        if vertex.kind == kind and vertex.number in users:
            vertex.group = common(users[vertex.number])


def _by_names(graph: Graph) -> None:
    """An operator belongs to the module whose parameters it reads, directly or transposed."""
    for vertex in graph.vertices.values():
        if "." in vertex.name and vertex.kind in ("leaf", "parameter"):
            vertex.group = tuple(vertex.name.split(".")[:-1])
    inputs = graph.inputs()
    for vertex in list(graph.in_order()):
        if vertex.kind != "operator":
            continue
        sources = [graph.vertices[edge.start] for edge in inputs[vertex.number]]
        owners = [v.group for v in sources if v.kind != "operator" and v.group]
        owners = owners or [v.group for v in sources if _is_turned(v, inputs, graph) and v.group]
        if owners and (len(sources) > 1 or sources[0].kind != "operator"):
            vertex.group = common(owners)
    _drop_lone_leaves(graph)


def _is_turned(vertex: Vertex, inputs: dict[int, list[Edge]], graph: Graph) -> bool:
    """Whether this is a leaf in another shape."""
    sources = [graph.vertices[edge.start] for edge in inputs[vertex.number]]
    if len(sources) != 1 or sources[0].kind == "operator":
        return False
    return sorted(vertex.shape or ()) == sorted(sources[0].shape or ())


def _drop_lone_leaves(graph: Graph) -> None:
    """A leaf whose users are elsewhere needs no box for itself."""
    inside: dict[int, Vertex] = {e.start: graph.vertices[e.end] for e in graph.edges}
    for vertex in graph.vertices.values():
        if vertex.kind != "operator" and vertex.group and vertex.number in inside:
            vertex.group = common([vertex.group, inside[vertex.number].group])
