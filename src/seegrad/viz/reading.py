"""Reads a graph of backward into the model of `viz.model`, without recursion."""

import functools
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from seegrad.explain.record import SECOND
from seegrad.graph.cuts import told
from seegrad.graph.tensor import TensorBase
from seegrad.viz.cuts import cuts_of
from seegrad.viz.memory import lines_of
from seegrad.viz.model import Edge, Graph, Vertex
from seegrad.viz.modules import functions_of, groups_of, notes_on
from seegrad.viz.writes import add_writes, overwritten_by, writes_of_nodes

__all__ = ["GRADIENT", "gradient_of", "is_tensor", "nodes_above", "read", "read_nodes"]

GRADIENT = "gradient"  # in the metadata of a node: what arrived there
_BUILT_IN = re.compile(r"Backward\d+$")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z][a-z])")


def is_tensor(value: Any) -> bool:
    """Whether this is a tensor, of either library."""
    return hasattr(value, "grad_fn") and hasattr(value, "requires_grad")


def read(var: Any, params: Any = None, show_saved: bool = False) -> Graph:
    """The graph that leads to a tensor, or to the tensors that a module returned.

    Raises: TypeError where there is no tensor, ValueError where no tensor has a history.
    """
    roots = _with_history(var)
    reader = _Reader(names_of(params), show_saved)
    for tensor in roots:
        reader.add_output(tensor)
    return reader.finished()


def read_nodes(roots: Iterable[Any], names: Any) -> tuple[Graph, dict[int, Any]]:
    """The graph that leads to nodes, and its nodes by the number of their vertex."""
    reader = _Reader(names_of(names), show_saved=False)
    for node in roots:
        reader.walk(node)
    return reader.finished(), reader.nodes


def nodes_above(var: Any) -> list[Any]:
    """The nodes of the graph that leads to a tensor, or to what a module returned."""
    reader = _Reader({}, show_saved=False)
    for tensor in _with_history(var):
        reader.walk(tensor.grad_fn)
    return list(reader.nodes.values())


def _with_history(var: Any) -> list[Any]:
    outputs = list(tensors_in(var))
    if not outputs:
        raise TypeError(_without_tensors(var))
    roots = [tensor for tensor in outputs if tensor.grad_fn is not None or tensor.requires_grad]
    if not roots:
        raise ValueError(_without_history(outputs[0]))
    return roots


def gradient_of(node: Any) -> dict[str, Any] | None:
    """What was noted of the gradient that arrived at a node."""
    found: dict[str, Any] | None = notes_on(node).get(GRADIENT)
    return found


def tensors_in(value: Any) -> Iterator[Any]:
    """The tensors of what a module returned: tuples, lists, dictionaries, data classes."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if is_tensor(one):
            yield one
        elif isinstance(one, Mapping):
            waiting += list(one.values())[::-1]
        elif isinstance(one, (tuple, list)):
            waiting += list(one)[::-1]
        elif hasattr(one, "__dataclass_fields__"):
            waiting += [getattr(one, name) for name in one.__dataclass_fields__][::-1]


def names_of(params: Any) -> dict[int, tuple[str, Any]]:
    """Names by the id of their tensor, from a module or from a mapping."""
    if params is None:
        return {}
    if hasattr(params, "named_parameters"):
        pairs = params.named_parameters()
    elif isinstance(params, Mapping):
        pairs = params.items()
    else:
        kind = type(params).__name__
        raise TypeError(f"params is a module, or a dictionary of tensors by name, not {kind}")
    return {id(tensor): (name, tensor) for name, tensor in pairs}


def _without_tensors(var: Any) -> str:
    if hasattr(var, "named_parameters"):
        return (
            f"a module ({type(var).__name__}) has no graph before it ran: "
            "give what it returns, or a loss made of that"
        )
    return f"a picture is drawn of a tensor, or of what a module returned, not of {var!r}"


def _without_history(tensor: Any) -> str:
    text = "this tensor has no history to draw: it does not require a gradient"
    return f"{text}. {told(tensor)}" if isinstance(tensor, TensorBase) else text


class _Reader:
    """A graph being read. Nodes are kept alive meanwhile, for ids name them."""

    def __init__(self, names: dict[int, tuple[str, Any]], show_saved: bool) -> None:
        self.names = names
        self.show_saved = show_saved
        self.graph = Graph()
        self.numbers: dict[Any, int] = {}  # by the id of a node or of a tensor
        self.nodes: dict[int, Any] = {}  # by the number of their vertex
        self.kept: list[Any] = []
        self.held: dict[int, list[Any]] = {}  # what nodes saved, by the number of their vertex

    def finished(self) -> Graph:
        """The graph, with what a watch, hooks and names tell of it."""
        cuts_of(self.nodes, self.graph, self.names)
        groups_of(self.nodes, self.graph, self.names)
        functions_of(self.nodes, self.graph)
        writes_of_nodes(self.nodes, self.graph.vertices)
        self.graph.lines = lines_of(self.held, self.nodes, self.graph.vertices)
        return self.graph

    def new(self, item: Any, **facts: Any) -> Vertex:
        """A vertex for a node or a tensor."""
        vertex = self.graph.new(**facts)
        self.numbers[id(item)] = vertex.number
        self.kept.append(item)
        return vertex

    def edge(self, start: int, end: int, kind: str = "data") -> None:
        """A line from what was computed first."""
        self.graph.edges.append(Edge(start, end, kind))

    def name(self, tensor: Any) -> str:
        """The name of a tensor, '' where none was given."""
        return self.names.get(id(tensor), ("", None))[0]

    def add_output(self, tensor: Any) -> None:
        """A tensor that nothing more was computed from, and all that leads to it."""
        if tensor.grad_fn is None:
            self.tensor_vertex(tensor)
            return
        self.walk(tensor.grad_fn)
        add_writes(tensor, self.graph.vertices[self.numbers[id(tensor.grad_fn)]])
        name = self.name(tensor)
        if name:
            output = self.new(tensor, kind="output", name=name, **_looks(tensor))
            self.edge(self.numbers[id(tensor.grad_fn)], output.number)

    def walk(self, root: Any) -> None:
        """Reads a node and all that it leads to."""
        if id(root) in self.numbers:
            return
        self.add_node(root)
        waiting = [root]
        while waiting:
            node = waiting.pop()
            number = self.numbers[id(node)]
            for following, _ in node.next_functions:
                if following is None:
                    continue
                if id(following) not in self.numbers:
                    self.add_node(following)
                    waiting.append(following)
                self.edge(self.numbers[id(following)], number)

    def add_node(self, node: Any) -> None:
        """The vertex of a node: an operator, or the leaf that it ends at."""
        variable = getattr(node, "variable", None)
        if variable is not None:
            vertex = self.tensor_vertex(variable)
            vertex.node, vertex.sequence = "AccumulateGrad", node._sequence_nr()
            self.numbers[id(node)] = vertex.number
            self.kept.append(node)
        else:
            vertex = self.new(node, kind="operator", **_says(node))
            self.add_saved(node, vertex)
        vertex.gradient = gradient_of(node)
        self.nodes[vertex.number] = node

    def tensor_vertex(self, tensor: Any) -> Vertex:
        """The vertex of a leaf."""
        if id(tensor) in self.numbers:
            return self.graph.vertices[self.numbers[id(tensor)]]
        is_parameter = type(tensor).__name__ == "Parameter"
        kind = "parameter" if is_parameter else "leaf" if tensor.requires_grad else "saved"
        vertex = self.new(tensor, kind=kind, name=self.name(tensor), **_looks(tensor))
        add_writes(tensor, vertex)
        return vertex

    def add_saved(self, node: Any, vertex: Vertex) -> None:
        """What a node saved: in its list, and as boxes where that is asked for or cut."""
        watched = getattr(node, "_made", None) is not None  # then `cuts_of` knows more
        for name, tensor in _saved(node):
            if isinstance(tensor, RuntimeError):
                vertex.lost = "freed" if "freed" in str(tensor) else "overwritten"
                overwritten_by(tensor, vertex)
                continue
            looks = _looks(tensor)
            vertex.saved.append((name, looks["shape"], looks["dtype"]))
            self.held.setdefault(vertex.number, []).append(tensor)
            cut = None if watched or tensor.requires_grad else getattr(tensor, "_cut", None)
            if cut is not None:
                self.aside(tensor, vertex, "cut", cut)
            elif self.show_saved and (tensor.grad_fn is not None or not tensor.requires_grad):
                self.aside(tensor, vertex, "saved", self.name(tensor) or name)

    def aside(self, tensor: Any, user: Vertex, kind: str, name: str) -> None:
        """A saved tensor beside the operator that uses it."""
        # A saved result is unpacked as another object each time.
        result = tensor.grad_fn is not None
        key = (id(tensor.grad_fn), tensor.output_nr) if result else id(tensor)
        if key not in self.numbers:
            self.numbers[key] = self.new(tensor, kind=kind, name=name, **_looks(tensor)).number
        self.edge(self.numbers[key], user.number, kind)


def _looks(tensor: Any) -> dict[str, Any]:
    return {"shape": tuple(map(int, tensor.shape)), "dtype": _dtype(tensor.dtype)}


@functools.cache
def _dtype(kind: Any) -> str:
    return str(kind).removeprefix("torch.")


def _says(node: Any) -> dict[str, Any]:
    """What a node tells of itself."""
    name = node.name().rpartition("::")[2]
    facts: dict[str, Any] = {"name": operator_name(name), "node": name}
    expected = getattr(node, "_input_metadata", ())
    if expected:
        facts["shape"] = tuple(map(int, expected[0].shape))
        facts["dtype"] = _dtype(expected[0].dtype)
    made = getattr(node, "_made", None)
    if made is not None and made.place is not None:
        facts["place"], facts["source"] = str(made.place), made.place.text
    facts["sequence"] = node._sequence_nr()
    number = getattr(node, "_sequence", -1)  # PyTorch counts for itself
    facts["second"] = (
        "BackwardBackward" in name  # a derivative's own derivative
        or "parent_" in notes_on(node)  # of anomaly mode
        or any(first < number < last for first, last in SECOND)
    )
    return facts


@functools.cache
def operator_name(node: str) -> str:
    """What made a node, as a program writes it: "max_pool2d" for MaxPool2DWithIndicesBackward0."""
    plain = node.rstrip("0123456789").removesuffix("Backward")
    if node.endswith("Backward") or not _BUILT_IN.search(node):
        return plain  # of a custom Function
    plain = plain.removesuffix("WithIndices").replace("1D", "1d").replace("2D", "2d")
    return _HUMP.sub("_", plain).lower()


def _saved(node: Any) -> Iterator[tuple[str, Any]]:
    """The tensors that a node saved, by name; an error where they cannot be had any more."""
    kind = type(node)
    if kind not in _names:
        _names[kind] = [name for name in dir(node) if name.startswith("_saved_")]
        _names[kind] += ["saved_tensors"] * hasattr(kind, "saved_tensors")
    for name in _names[kind]:
        try:
            value = getattr(node, name)
        except RuntimeError as error:
            yield name.removeprefix("_saved_"), error
            continue
        label = "saved" if name == "saved_tensors" else name.removeprefix("_saved_")
        for one_label, one in _items(label, value):
            if is_tensor(one):
                yield one_label, one


_names: dict[type, list[str]] = {}  # of what nodes of a class save


def _items(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, (tuple, list)):
        yield from ((f"{name}[{place}]", one) for place, one in enumerate(value))
    else:
        yield name, value
