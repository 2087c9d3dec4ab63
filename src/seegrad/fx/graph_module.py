"""`GraphModule`: a module whose `forward` is a graph."""

import copy
import itertools
import linecache
from typing import Any

from seegrad.fx._codegen import PythonCode, target_value
from seegrad.fx.graph import Graph
from seegrad.missing import missing as _missing
from seegrad.nn.modules.module import Module
from seegrad.nn.parameter import Parameter

__all__ = ["GraphModule"]

_numbers = itertools.count()
_HINT = "# To see more debug info, please use `graph_module.print_readable()`"


class GraphModule(Module):
    """A module made of a graph, and of what the graph uses of `root`.

    `root`: a module, or a dictionary of modules and tensors by their paths. A new graph, or
    `recompile()` after a change of the graph, makes `forward` anew.

    >>> import seegrad as torch
    >>> graph = torch.fx.Graph()
    >>> _ = graph.output(graph.call_module("lin", (graph.placeholder("x"),)))
    >>> net = torch.fx.GraphModule({"lin": torch.nn.Linear(2, 1)}, graph)
    >>> print(net.code.strip())
    def forward(self, x):
        lin = self.lin(x);  x = None
        return lin
    """

    _graph: Graph
    _code: str

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        """An instance of a class of its own: each has another `forward`."""
        base = next(each for each in cls.__mro__ if "_own_class" not in vars(each))
        return object.__new__(type("GraphModuleImpl", (base,), {"_own_class": True}))

    def __init__(self, root: Any, graph: Graph, class_name: str = "GraphModule") -> None:
        super().__init__()
        type(self).__name__ = class_name
        if hasattr(root, "training"):
            self.training = root.training
        for node in graph.nodes:
            if node.op not in ("get_attr", "call_module"):
                continue
            if not isinstance(root, dict):
                self._adopt(node.target, target_value(root, node.target))
            elif node.target in root:
                self._adopt(node.target, root[node.target])
            else:
                raise RuntimeError(
                    f"Node {node} referenced target {node.target} but that target was not "
                    "provided in ``root``!"
                )
        self.graph = graph

    def _adopt(self, target: str, value: Any) -> None:
        """Sets what stands under a path, with plain modules on the way."""
        *path, name = target.split(".")
        holder: Any = self
        for each in path:
            if each not in holder._modules:
                holder.add_module(each, Module())
            holder = holder._modules[each]
        if name in holder._modules or name in holder._parameters or name in holder._buffers:
            return
        if hasattr(value, "requires_grad") and not isinstance(value, Parameter):
            holder.register_buffer(name, value)
        else:
            setattr(holder, name, value)

    @property
    def graph(self) -> Graph:
        """The graph that this module runs."""
        return self._graph

    @graph.setter
    def graph(self, graph: Graph) -> None:
        object.__setattr__(self, "_graph", graph)
        graph.owning_module = self
        self.recompile()

    @property
    def code(self) -> str:
        """The text of `forward`."""
        return self._code

    def recompile(self) -> PythonCode:
        """Makes `forward` anew, out of the graph as it is now."""
        found = self._graph.python_code("self")
        object.__setattr__(self, "_code", found.src)
        file = f"<eval_with_key>.{next(_numbers)}"
        lines = found.src.splitlines(keepends=True)
        linecache.cache[file] = (len(found.src), None, lines, file)
        scope = dict(found.globals)
        exec(compile(found.src, file, "exec"), scope)
        type(self).forward = scope["forward"]
        return found

    def __deepcopy__(self, memo: Any) -> "GraphModule":
        root = Module()
        root.__dict__.update(
            copy.deepcopy({k: v for k, v in vars(self).items() if k != "_graph"}, memo)
        )
        return GraphModule(root, copy.deepcopy(self._graph, memo))

    def __str__(self) -> str:
        return "\n".join([super().__repr__(), self._code, _HINT])

    def print_readable(self, print_output: bool = True) -> str:
        """The code as that of a class, printed too unless told otherwise."""
        head, _, body = self._graph.python_code("self").src.strip().partition("\n")
        lines = [head, "    # No stacktrace found for following nodes", *body.split("\n")]
        text = "\n    ".join([f"class {type(self).__name__}(torch.nn.Module):", *lines]) + "\n"
        if print_output:
            print(text)
        return text


__getattr__ = _missing(__name__, __all__)
