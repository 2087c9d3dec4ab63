"""Proxies: what a program computes with while it is traced; each step makes a node."""

import dis
import operator
import sys
from collections.abc import Iterator
from typing import Any

from seegrad.arrays.dtypes import dtype
from seegrad.device import device
from seegrad.fx.graph import Graph
from seegrad.fx.node import Node, map_aggregate
from seegrad.missing import missing as _missing
from seegrad.overrides import is_tensor_method_or_property
from seegrad.tensor.conversion import layout
from seegrad.tensor.formats import memory_format

__all__ = ["Attribute", "GraphAppendingTracer", "Proxy", "TraceError", "TracerBase", "proxies_in"]

NO_ITERATION = (
    "Proxy object cannot be iterated. This can be attempted when the Proxy is used in a loop or "
    "as a *args or **kwargs function argument. See the torch.fx docs on pytorch.org for a more "
    "detailed explanation of what types of control flow can be traced, and check out the Proxy "
    "docstring for help troubleshooting Proxy iteration errors"
)
NO_LEN = (
    "'len' is not supported in symbolic tracing by default. If you want this call to be recorded, "
    "please call torch.fx.wrap('len') at module scope"
)
NO_BRANCH = "symbolically traced variables cannot be used as inputs to control flow"
PLAIN: tuple[type, ...] = (str, int, float, bool, complex, type(None), type(Ellipsis), range, Node)
PLAIN += (dtype, device, layout, memory_format)


class TraceError(ValueError):
    """A program did with a proxy what cannot be written down as a graph."""


class TracerBase:
    """What makes nodes in `graph`, and proxies of them."""

    graph: Graph

    def create_node(
        self,
        kind: str,
        target: Any,
        args: Any,
        kwargs: Any,
        name: Any = None,
        type_expr: Any = None,
    ) -> Node:
        """A node in the graph."""
        return self.graph.create_node(kind, target, args, kwargs, name, type_expr)

    def proxy(self, node: Node) -> "Proxy":
        """What stands for the value of a node."""
        return Proxy(node, self)

    def create_proxy(
        self,
        kind: str,
        target: Any,
        args: Any,
        kwargs: Any,
        name: str | None = None,
        type_expr: Any = None,
        proxy_factory_fn: Any = None,
    ) -> "Proxy":
        """A node of these arguments, which may hold proxies, and what stands for its value."""
        made = self.create_node(
            kind, target, self.create_arg(args), self.create_arg(kwargs), name, type_expr
        )
        result: Proxy = (proxy_factory_fn or self.proxy)(made)
        return result

    def create_arg(self, a: Any) -> Any:
        """An argument of a node out of a value. Raises NotImplementedError for foreign ones."""
        return map_aggregate(a, self._arg)

    def _arg(self, a: Any) -> Any:
        if isinstance(a, Proxy):
            return a.node
        if isinstance(a, PLAIN):
            return a
        raise NotImplementedError(f"argument of type: {type(a)}")

    def to_bool(self, obj: "Proxy") -> bool:
        """Called where a branch depends on a proxy."""
        raise TraceError(NO_BRANCH)

    def iter(self, obj: "Proxy") -> Iterator[Any]:
        """Called where a proxy is run over: `a, b = x` is known to want two values."""
        frame = sys._getframe(2)
        for step in dis.get_instructions(frame.f_code):
            if step.offset == frame.f_lasti and step.opname == "UNPACK_SEQUENCE":
                return iter([operator.getitem(obj, place) for place in range(step.argval)])
        raise TraceError(NO_ITERATION)

    def keys(self, obj: "Proxy") -> Any:
        """Called for `**x`."""
        return Attribute(obj, "keys")()


class GraphAppendingTracer(TracerBase):
    """Makes nodes in a graph that is there.

    >>> import seegrad as torch
    >>> graph = torch.fx.Graph()
    >>> x = torch.fx.Proxy(graph.placeholder("x"))
    >>> (torch.relu(x) + 1).node.name, type(x.tracer).__name__
    ('add', 'GraphAppendingTracer')
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph


class Proxy:
    """Stands for the value of a node; what is done with it makes nodes."""

    def __init__(self, node: Node, tracer: TracerBase | None = None) -> None:
        self.tracer = GraphAppendingTracer(node.graph) if tracer is None else tracer
        self.node = node

    def __repr__(self) -> str:
        return f"Proxy({self.node.name})"

    def __getattr__(self, k: str) -> "Attribute":
        if k.startswith("__") and k.endswith("__"):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{k}'")
        return Attribute(self, k)

    def __call__(self, *args: Any, **kwargs: Any) -> "Proxy":
        return self.tracer.create_proxy("call_method", "__call__", (self, *args), kwargs)

    def __iter__(self) -> Iterator[Any]:
        return self.tracer.iter(self)

    def __bool__(self) -> bool:
        return self.tracer.to_bool(self)

    def __len__(self) -> int:
        raise RuntimeError(NO_LEN)

    def __deepcopy__(self, memo: Any) -> "Proxy":
        raise TraceError("a proxy cannot be copied: it belongs to the graph that is traced")

    def keys(self) -> Any:
        """What `**x` asks for."""
        return self.tracer.keys(self)

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """A node for the call of a function of torch, or of a method of a tensor."""
        kwargs = kwargs or {}
        tracer = next(iter(proxies_in((args, kwargs)))).tracer
        if not is_tensor_method_or_property(func):
            return tracer.create_proxy("call_function", func, args, kwargs)
        return tracer.create_proxy("call_method", func.__name__, args, kwargs)


def proxies_in(values: Any) -> list[Proxy]:
    """The proxies among values, also inside lists and dictionaries."""
    found: list[Proxy] = []
    map_aggregate(values, lambda each: found.append(each) if isinstance(each, Proxy) else each)
    return found


class Attribute(Proxy):
    """An attribute of a proxy: its node is made where it is used; called, it is a method."""

    def __init__(self, root: Proxy, attr: str) -> None:
        self.root, self.attr = root, attr
        self.tracer = root.tracer
        self._node: Node | None = None

    @property
    def node(self) -> Node:  # type: ignore[override]
        """The node that reads the attribute."""
        if self._node is None:
            made = self.tracer.create_proxy("call_function", getattr, (self.root, self.attr), {})
            self._node = made.node
        return self._node

    def __call__(self, *args: Any, **kwargs: Any) -> Proxy:
        return self.tracer.create_proxy("call_method", self.attr, (self.root, *args), kwargs)


def _symbol(target: Any, reflected: bool) -> Any:
    def symbol(self: Proxy, *others: Any) -> Proxy:
        args = (*others, self) if reflected else (self, *others)
        return self.tracer.create_proxy("call_function", target, args, {})

    return symbol


_BOTH_WAYS = ["add", "sub", "mul", "floordiv", "truediv", "mod", "lshift", "rshift", "and_", "or_"]
_BOTH_WAYS += ["xor", "matmul", "pow"]
for _name in ["eq", "ne", "lt", "gt", "le", "ge", "pos", "neg", "invert", "abs", "getitem"]:
    setattr(Proxy, f"__{_name}__", _symbol(getattr(operator, _name), reflected=False))
for _name in _BOTH_WAYS:
    for _start in ("__", "__r"):
        _target = getattr(operator, _name)
        setattr(Proxy, f"{_start}{_name.rstrip('_')}__", _symbol(_target, _start == "__r"))
setattr(Proxy, "__hash__", object.__hash__)  # noqa: B010  `==` has just taken it away

__getattr__ = _missing(__name__, __all__)
