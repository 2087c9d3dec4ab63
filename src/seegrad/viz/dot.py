"""The graph of backward as a Graphviz picture, equal to what torchviz 0.0.3 draws.

Tensors are boxes with their shapes: green for outputs, darker green for the base of an output
that is a view, blue for leaves, orange for what nodes saved. Nodes are grey boxes with names.
Only public attributes of tensors and nodes are read, so PyTorch's graphs can be drawn as well.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graphviz import Digraph

__all__ = ["make_dot"]

_SAVED = "_saved_"
_OUTPUT, _BASE, _LEAF, _KEPT = "darkolivegreen1", "darkolivegreen3", "lightblue", "orange"
_BOX = {
    "style": "filled",
    "shape": "box",
    "align": "left",
    "fontsize": "10",
    "ranksep": "0.1",
    "height": "0.2",
    "fontname": "monospace",
}


def make_dot(
    var: Any,
    params: Mapping[str, Any] | None = None,
    show_attrs: bool = False,
    show_saved: bool = False,
    max_attr_chars: int = 50,
) -> "Digraph":
    """Draws the graph that leads to `var`.

    Args:
        var: a tensor, or a tuple of tensors, of any shapes.
        params: names for tensors, written above their shapes.
        show_attrs: writes what each node keeps (`dim`, `self_sym_sizes` ...) into its box.
        show_saved: draws the tensors that each node saved. Those of custom Functions always are.
        max_attr_chars: where a longer value is cut.

    Returns: a `graphviz.Digraph`; `.source` is its text, `.render("file", format="svg")` a file.

    Raises: ModuleNotFoundError where the package graphviz is not installed; AssertionError where
    a value of `params` is no tensor.

    >>> import seegrad as torch
    >>> from seegrad.viz import make_dot
    >>> x = torch.ones(3, requires_grad=True)
    >>> print(make_dot(x.exp(), params={"x": x}).source)  # doctest: +SKIP
    """
    named = dict(params or {})
    assert all(_is_tensor(value) for value in named.values()), "params must be tensors, by name"
    picture = _Picture(_new_digraph(), named, show_attrs, show_saved, max_attr_chars)
    for output in var if isinstance(var, (tuple, list)) else (var,):
        picture.add_output(output)
    _resize(picture.dot)
    return picture.dot


def _new_digraph() -> "Digraph":
    try:
        from graphviz import Digraph
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "make_dot needs the package graphviz, which is not installed: "
            "pip install 'seegrad[viz]'. (To render a picture, the program `dot` of Graphviz as "
            "well.)",
            name="graphviz",
        ) from error
    return Digraph(node_attr=_BOX, graph_attr={"size": "12,12"})


def _resize(dot: "Digraph", size_per_element: float = 0.15, min_size: float = 12) -> None:
    """Room for the number of lines in the picture."""
    size = max(min_size, len(dot.body) * size_per_element)
    dot.graph_attr.update(size=f"{size},{size}")


class _Picture:
    """A picture being drawn. What was drawn is kept alive, for ids name it."""

    def __init__(
        self,
        dot: "Digraph",
        params: Mapping[str, Any],
        show_attrs: bool,
        show_saved: bool,
        max_attr_chars: int,
    ) -> None:
        self.dot = dot
        self.names = {id(tensor): name for name, tensor in params.items()}
        self.show_attrs = show_attrs
        self.show_saved = show_saved
        self.widest = max(3, max_attr_chars)
        self.seen: dict[int, Any] = {}

    def add_output(self, tensor: Any) -> None:
        """An output, its graph, and the tensor whose memory it views."""
        color = _OUTPUT
        views: list[tuple[Any, Any]] = []
        while not self._is_known(tensor):
            self._draw_tensor(tensor, color)
            if tensor.grad_fn is not None:
                self._add_nodes(tensor.grad_fn)
                self._edge(tensor.grad_fn, tensor)
            if not tensor._is_view():
                break
            views.append((tensor._base, tensor))
            tensor, color = tensor._base, _BASE
        for base, view in reversed(views):
            self._edge(base, view, style="dotted")

    def _add_nodes(self, root: Any) -> None:
        """The node and all that it leads to, depth first, without recursion."""
        if self._is_known(root):
            return
        walks = [self._walk(root)]
        while walks:
            node = next(walks[-1], None)
            if node is None:
                walks.pop()
            elif not self._is_known(node):
                walks.append(self._walk(node))

    def _walk(self, node: Any) -> Iterator[Any]:
        """Draws one node and yields the nodes to draw before what it saved by hand."""
        if self.show_saved:
            self._draw_attributes(node)
        if hasattr(node, "variable"):
            self._draw_tensor(node.variable, _LEAF)
            self._edge(node.variable, node)
        self.dot.node(str(id(node)), _label(node, self.widest if self.show_attrs else 0))
        for following, _ in node.next_functions:
            if following is not None:
                self._edge(following, node)
                yield following
        for tensor in _saved_by_hand(node):
            self._edge(tensor, node, dir="none")
            self._draw_tensor(tensor, _KEPT)

    def _draw_attributes(self, node: Any) -> None:
        for name, value in _attributes(node):
            if _is_tensor(value):
                self._draw_saved(node, value, name)
            elif isinstance(value, tuple):
                for place, item in enumerate(value):
                    if _is_tensor(item):
                        self._draw_saved(node, item, f"{name}[{place}]")

    def _draw_saved(self, node: Any, tensor: Any, name: str) -> None:
        self._edge(node, tensor, dir="none")
        self._draw_tensor(tensor, _KEPT, name)

    def _draw_tensor(self, tensor: Any, color: str, name: str = "") -> None:
        self.seen[id(tensor)] = tensor
        sizes = ", ".join(str(int(size)) for size in tensor.size())
        label = f"{name or self.names.get(id(tensor), '')}\n ({sizes})"
        self.dot.node(str(id(tensor)), label, fillcolor=color)

    def _edge(self, start: Any, end: Any, **attributes: str) -> None:
        self.dot.edge(str(id(start)), str(id(end)), **attributes)

    def _is_known(self, item: Any) -> bool:
        """Whether this tensor or node was met before; it counts as met from now on."""
        known = id(item) in self.seen
        self.seen[id(item)] = item
        return known


def _is_tensor(value: Any) -> bool:
    return hasattr(value, "grad_fn") and hasattr(value, "requires_grad")


def _saved_by_hand(node: Any) -> Iterable[Any]:
    """What a custom Function saved; nothing once backward has freed it."""
    try:
        saved = getattr(node, "saved_tensors", ())
    except RuntimeError:
        return []
    return [tensor for tensor in saved if _is_tensor(tensor)]


def _attributes(node: Any) -> Iterator[tuple[str, Any]]:
    """What the node keeps, by name, in the order of the names."""
    for name in sorted(name for name in dir(node) if name.startswith(_SAVED)):
        try:
            value = getattr(node, name)
        except RuntimeError:
            value = "[freed]"
        yield name.removeprefix(_SAVED), value


def _label(node: Any, widest: int) -> str:
    """The node's name and, where `widest` is not 0, a table of what it keeps."""
    name = type(node).__name__
    rows = [(key, _text(value)) for key, value in _attributes(node)] if widest else []
    if not rows:
        return name
    left = max(len(key) for key, _ in rows)
    right = min(max(len(text) for _, text in rows), widest)
    lines = [f"{key:<{left}}: {_cut(text, right):>{right}}" for key, text in rows]
    return "\n".join([name, "-" * max(left + right + 2, len(name)), *lines])


def _text(value: Any) -> str:
    if _is_tensor(value):
        return "[saved tensor]"
    if isinstance(value, tuple) and any(_is_tensor(item) for item in value):
        return "[saved tensors]"
    return str(value)


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 3] + "..."
