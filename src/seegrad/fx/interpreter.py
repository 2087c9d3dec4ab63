"""Running a graph node by node; making another graph out of it in the same way."""

from typing import Any

from seegrad.fx._codegen import target_value
from seegrad.fx._symbolic_trace import Tracer
from seegrad.fx.graph import Graph
from seegrad.fx.graph_module import GraphModule
from seegrad.fx.node import Node, map_arg
from seegrad.fx.proxy import Proxy
from seegrad.missing import missing as _missing

__all__ = ["Interpreter", "Transformer"]


class Interpreter:
    """Runs the graph of a module; derived classes say what a step does.

    >>> import seegrad as torch
    >>> class Loud(torch.fx.Interpreter):
    ...     def run_node(self, n):
    ...         print(n.op, n.name)
    ...         return super().run_node(n)
    >>> Loud(torch.fx.symbolic_trace(lambda x: x + 1)).run(torch.zeros(1))
    placeholder x
    call_function add
    output output
    tensor([1.])
    """

    def __init__(
        self, module: Any, garbage_collect_values: bool = True, graph: Graph | None = None
    ) -> None:
        self.module = module
        self.graph: Graph = module.graph if graph is None else graph
        self.garbage_collect_values = garbage_collect_values
        self.env: dict[Node, Any] = {}
        self.args_iter: Any = iter(())
        last = {used: node for node in self.graph.nodes for used in node.all_input_nodes}
        self._free: dict[Node, list[Node]] = {}
        for used, node in last.items():
            self._free.setdefault(node, []).append(used)

    def run(
        self,
        *args: Any,
        initial_env: dict[Node, Any] | None = None,
        enable_io_processing: bool = True,
    ) -> Any:
        """The result for these arguments; nodes of `initial_env` have a value already."""
        self.env, self.args_iter = dict(initial_env or {}), iter(args)
        for node in self.graph.nodes:
            if node not in self.env:
                self.env[node] = self.run_node(node)
            if node.op == "output":
                return self.env[node]
            for used in self._free.get(node, ()) if self.garbage_collect_values else ():
                del self.env[used]
        return None

    def run_node(self, n: Node) -> Any:
        """The value of a node."""
        args, kwargs = self.fetch_args_kwargs_from_env(n)
        return getattr(self, n.op)(n.target, args, kwargs)

    def placeholder(self, target: Any, args: Any, kwargs: Any) -> Any:
        """The next argument, or its default."""
        if target.startswith("*"):
            return list(self.args_iter)
        try:
            return next(self.args_iter)
        except StopIteration:
            if args:
                return args[0]
            raise RuntimeError(
                f"Expected positional argument for parameter {target}, but one was not passed in!"
            ) from None

    def get_attr(self, target: Any, args: Any, kwargs: Any) -> Any:
        """What the module has under a path."""
        return self.fetch_attr(target)

    def call_function(self, target: Any, args: Any, kwargs: Any) -> Any:
        """The result of a function."""
        return target(*args, **kwargs)

    def call_method(self, target: Any, args: Any, kwargs: Any) -> Any:
        """The result of a method of the first argument."""
        return getattr(args[0], target)(*args[1:], **kwargs)

    def call_module(self, target: Any, args: Any, kwargs: Any) -> Any:
        """The result of a module."""
        return self.fetch_attr(target)(*args, **kwargs)

    def output(self, target: Any, args: Any, kwargs: Any) -> Any:
        """The result of the program."""
        return args[0]

    def fetch_attr(self, target: str) -> Any:
        """What the module has under a path."""
        return target_value(self.module, target)

    def fetch_args_kwargs_from_env(self, n: Node) -> tuple[Any, Any]:
        """The arguments of a node, with values for nodes."""
        return self.map_nodes_to_values(n.args, n), self.map_nodes_to_values(n.kwargs, n)

    def map_nodes_to_values(self, args: Any, n: Node) -> Any:
        """Arguments with the values of nodes."""
        return map_arg(args, lambda node: self.env[node])


class _TransformerTracer(Tracer):
    def __init__(self, graph: Graph, root: Any) -> None:
        super().__init__()
        self.graph, self.root = graph, root

    def is_leaf_module(self, m: Any, module_qualified_name: str) -> bool:
        return True


class Transformer(Interpreter):
    """Makes a new module: each step of the old graph is done with proxies.

    >>> import seegrad as torch
    >>> class Swap(torch.fx.Transformer):
    ...     def call_function(self, target, args, kwargs):
    ...         swapped = torch.tanh if target is torch.relu else target
    ...         return super().call_function(swapped, args, kwargs)
    >>> print(Swap(torch.fx.symbolic_trace(lambda x: torch.relu(x))).transform().code.strip())
    def forward(self, x):
        tanh = torch.tanh(x);  x = None
        return tanh
    """

    def __init__(self, module: GraphModule) -> None:
        super().__init__(module)
        self.new_graph = Graph(tracer_cls=module.graph._tracer_cls)
        self.tracer = _TransformerTracer(self.new_graph, module)

    def placeholder(self, target: Any, args: Any, kwargs: Any) -> Any:
        """An input of the new graph."""
        node = self.new_graph.placeholder(target, None, *args)
        return Proxy(node, self.tracer)

    def get_attr(self, target: Any, args: Any, kwargs: Any) -> Any:
        """The same attribute in the new graph."""
        return self.tracer.create_proxy("get_attr", target, args, kwargs)

    def call_module(self, target: Any, args: Any, kwargs: Any) -> Any:
        """The call of the same module."""
        return self.tracer.create_proxy("call_module", target, args, kwargs)

    def call_function(self, target: Any, args: Any, kwargs: Any) -> Any:
        """The call of the same function."""
        return self.tracer.create_proxy("call_function", target, args, kwargs)

    def transform(self) -> GraphModule:
        """The new module."""
        result = super().run()
        if result is not None:
            self.new_graph.output(self.tracer.create_arg(result))
        return GraphModule(self.module, self.new_graph)

    def run(self, *args: Any, **kwargs: Any) -> Any:
        """The new module, run."""
        return self.transform()(*args, **kwargs)


__getattr__ = _missing(__name__, __all__)
