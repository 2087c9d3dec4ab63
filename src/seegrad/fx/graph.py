"""The graph of a program: nodes in the order in which they run."""

import keyword
import re
from collections.abc import Callable, Iterator
from typing import Any

from seegrad.fx._codegen import BUILTIN_NAMES, PythonCode, target_value, written
from seegrad.fx.node import Node, map_arg
from seegrad.missing import missing as _missing

__all__ = ["Graph", "PythonCode"]

_NOTHING: Any = object()


class _NodeList:
    """The nodes of a graph; one that runs over them may erase and insert."""

    def __init__(self, graph: "Graph", backwards: bool = False) -> None:
        self.graph, self.backwards = graph, backwards

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __iter__(self) -> Iterator[Node]:
        step = "_prev" if self.backwards else "_next"
        node = getattr(self.graph._root, step)
        while node is not self.graph._root:
            if not node._erased:
                yield node
            node = getattr(node, step)

    def __reversed__(self) -> "_NodeList":
        return _NodeList(self.graph, not self.backwards)


class _InsertPoint:
    """Has nodes made elsewhere, for the length of a `with` block or from now on."""

    def __init__(self, graph: "Graph", insert: Callable[[Node], None]) -> None:
        self.graph, self.before = graph, graph._insert
        graph._insert = insert

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        self.graph._insert = self.before


class Graph:
    """A program as a list of nodes.

    >>> import seegrad as torch
    >>> graph = torch.fx.Graph()
    >>> x = graph.placeholder("x")
    >>> y = graph.call_function(torch.relu, (x,))
    >>> _ = graph.output(y)
    >>> print(graph)
    graph():
        %x : [num_users=1] = placeholder[target=x]
        %relu : [num_users=1] = call_function[target=torch.relu](args = (%x,), kwargs = {})
        return relu
    """

    def __init__(
        self, owning_module: Any = None, tracer_cls: Any = None, tracer_extras: Any = None
    ) -> None:
        self._root = Node(self, "", "root", "", (), {})
        self._insert: Callable[[Node], None] = self._root.prepend
        self._names: set[str] = set()
        self._last: dict[str, int] = {}
        self.owning_module = owning_module
        self._tracer_cls = tracer_cls

    @property
    def nodes(self) -> _NodeList:
        """The nodes in order; may be run over while the graph changes."""
        return _NodeList(self)

    # Making nodes

    def create_node(
        self,
        op: str,
        target: Any,
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
        name: str | None = None,
        type_expr: Any = None,
    ) -> Node:
        """Makes a node where nodes are inserted now: at the end, unless said otherwise."""
        own = self._free_name(name if name is not None else _said(target))
        node = Node(self, own, op, target, args or (), kwargs or {}, type_expr)
        self._insert(node)
        return node

    def _free_name(self, wanted: str) -> str:
        """A name that no node has, and that hides none of Python's."""
        wanted = re.sub("[^0-9a-zA-Z_]+", "_", wanted) or "_unnamed"
        wanted = f"_{wanted}" if wanted[0].isdigit() else wanted
        base, _, number = wanted.rpartition("_")
        base, count = (base, int(number)) if base and number.isdecimal() else (wanted, None)
        name = wanted if count is None or f"{count}" == number else base
        count = self._last.get(base, 0) if count is None else count
        while name in self._names or name in BUILTIN_NAMES or keyword.iskeyword(name):
            count += 1
            name = f"{base}_{count}"
        self._names.add(name)
        self._last[base] = max(count, self._last.get(base, 0))
        return name

    def placeholder(self, name: str, type_expr: Any = None, default_value: Any = _NOTHING) -> Node:
        """An input; `*name` and `**name` are inputs too."""
        args = () if default_value is _NOTHING else (default_value,)
        return self.create_node("placeholder", name, args, type_expr=type_expr)

    def get_attr(self, qualified_name: str, type_expr: Any = None) -> Node:
        """A parameter, buffer or other attribute of the module, by its path."""
        return self.create_node("get_attr", qualified_name, type_expr=type_expr)

    def call_function(
        self,
        the_function: Any,
        args: Any = None,
        kwargs: Any = None,
        type_expr: Any = None,
        name: str | None = None,
    ) -> Node:
        """The call of a function."""
        return self.create_node("call_function", the_function, args, kwargs, name, type_expr)

    def call_method(
        self, method_name: str, args: Any = None, kwargs: Any = None, type_expr: Any = None
    ) -> Node:
        """The call of a method of the first argument."""
        return self.create_node("call_method", method_name, args, kwargs, type_expr=type_expr)

    def call_module(
        self, module_name: str, args: Any = None, kwargs: Any = None, type_expr: Any = None
    ) -> Node:
        """The call of a module, by its path."""
        return self.create_node("call_module", module_name, args, kwargs, type_expr=type_expr)

    def output(self, result: Any, type_expr: Any = None) -> Node:
        """The result of the program."""
        return self.create_node("output", "output", (result,), type_expr=type_expr)

    # Changing

    def inserting_before(self, n: Node | None = None) -> _InsertPoint:
        """From here on, or inside of `with`, nodes are made before `n`, or at the beginning."""
        return _InsertPoint(self, (n or self._root._next).prepend if n else self._at_start)

    def _at_start(self, node: Node) -> None:
        self._root.append(node)

    def inserting_after(self, n: Node | None = None) -> _InsertPoint:
        """From here on, or inside of `with`, nodes are made behind `n`, or at the end."""
        at = [n]

        def insert(node: Node) -> None:
            if at[0] is None:
                self._root.prepend(node)
            else:
                at[0].append(node)
                at[0] = node

        return _InsertPoint(self, insert)

    def erase_node(self, to_erase: Node) -> None:
        """Takes a node away. Raises RuntimeError where it is used."""
        if to_erase.users:
            raise RuntimeError(
                f"Tried to erase Node {to_erase} but it still had {len(to_erase.users)} users in "
                f"the graph: {to_erase.users}!"
            )
        to_erase._update((), {})
        to_erase._unlink()
        to_erase._erased = True

    def eliminate_dead_code(self, is_impure_node: Any = None) -> bool:
        """Takes away what nobody uses; returns whether there was anything."""
        is_impure = is_impure_node or Node.is_impure
        dead = False
        for node in reversed(self.nodes):
            if not node.users and not is_impure(node):
                self.erase_node(node)
                dead = True
        return dead

    def node_copy(self, node: Node, arg_transform: Callable[[Node], Any] = lambda x: x) -> Node:
        """A copy of a node of another graph, its arguments as `arg_transform` says."""
        args, kwargs = (map_arg(part, arg_transform) for part in (node.args, node.kwargs))
        copy = self.create_node(node.op, node.target, args, kwargs, node.name, node.type)
        copy.meta = dict(node.meta)
        return copy

    def graph_copy(
        self, g: "Graph", val_map: dict[Node, Node], return_output_node: bool = False
    ) -> Any:
        """Copies all nodes of a graph but its output, whose value is returned."""
        for node in g.nodes:
            if node in val_map:
                continue
            if node.op == "output":
                result = map_arg(node.args[0], lambda n: val_map[n])
                return (result, node) if return_output_node else result
            val_map[node] = self.node_copy(node, lambda n: val_map[n])
        return None

    def __deepcopy__(self, memo: Any = None) -> "Graph":
        copy = Graph(tracer_cls=self._tracer_cls)
        found = copy.graph_copy(self, {}, return_output_node=True)
        if found is not None:
            copy.output(found[0], found[1].type)
        return copy

    # Looking

    def find_nodes(self, *, op: str, target: Any = None, sort: bool = True) -> list[Node]:
        """The nodes of a kind, and of a target where one is given."""
        return [n for n in self.nodes if n.op == op and target in (None, n.target)]

    def output_node(self) -> Node:
        """The node of the result."""
        return self.find_nodes(op="output")[-1]

    def lint(self) -> None:
        """Raises RuntimeError where nodes do not belong here, or are used before they run."""
        seen: set[Node] = set()
        for node in self.nodes:
            for used in node.all_input_nodes:
                if used.graph is not self:
                    raise RuntimeError(
                        f"Argument '{used}' of Node '{node}' does not belong to this Graph, but "
                        "was used as an argument! If you are copying nodes from another graph, "
                        "make sure to use ``arg_transform`` on node_copy() to remap values\n"
                        f"{self}"
                    )
                if used not in seen:
                    raise RuntimeError(
                        f"Argument '{used}' of Node '{node}' was used before it has been defined! "
                        "Please check that Nodes in the graph are topologically ordered\n"
                        f"{self}"
                    )
            seen.add(node)
            if self.owning_module is not None and node.op in ("get_attr", "call_module"):
                target_value(self.owning_module, node.target)

    def python_code(self, root_module: str) -> PythonCode:
        """The program as text: `src`, and the `globals` that it needs."""
        return written(self, root_module)

    def print_tabular(self) -> None:
        """Prints a table of the nodes."""
        rows = [[n.op, n.name, n.target, n.args, n.kwargs] for n in self.nodes]
        table = [["opcode", "name", "target", "args", "kwargs"], *rows]
        texts = [[str(cell) for cell in row] for row in table]
        widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
        texts.insert(1, ["-" * width for width in widths])
        for row in texts:
            cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            print("  ".join(cells).rstrip())

    def __str__(self) -> str:
        return "graph():" + "".join(f"\n    {node.format_node()}" for node in self.nodes)


def _said(target: Any) -> str:
    """What a node is called after: its target in small letters, with underscores."""
    name = target if isinstance(target, str) else target.__name__
    if name.startswith("__") and name.endswith("__"):
        name = name[2:-2]
    return re.sub("(?<=[a-z])([A-Z])", r"_\1", name).lower()


__getattr__ = _missing(__name__, __all__)
