"""A node of a graph of a program: one input, call, attribute or the result."""

import builtins
import operator
from collections.abc import Callable
from typing import Any

from seegrad.graph import asked_names
from seegrad.missing import missing as _missing

__all__ = ["Node", "map_aggregate", "map_arg"]

OPS = ("placeholder", "call_method", "call_module", "call_function", "get_attr", "output", "root")


def map_arg(a: Any, fn: Callable[["Node"], Any]) -> Any:
    """The argument with `fn(node)` for every node in it, also inside lists, dicts and slices.

    >>> import seegrad as torch
    >>> graph = torch.fx.Graph()
    >>> x = graph.placeholder("x")
    >>> torch.fx.map_arg((x, [x, 2]), lambda node: node.name)
    ('x', ['x', 2])
    """
    return map_aggregate(a, lambda each: fn(each) if isinstance(each, Node) else each)


def map_aggregate(a: Any, fn: Callable[[Any], Any]) -> Any:
    """The argument with `fn(value)` for every value in it."""
    if isinstance(a, tuple):
        values = [map_aggregate(each, fn) for each in a]
        return type(a)(*values) if hasattr(a, "_fields") else tuple(values)
    if isinstance(a, list):
        return [map_aggregate(each, fn) for each in a]
    if isinstance(a, dict):
        return {key: map_aggregate(value, fn) for key, value in a.items()}
    if isinstance(a, slice):
        return slice(*(map_aggregate(each, fn) for each in (a.start, a.stop, a.step)))
    return fn(a)


def qualified_name(func: Any) -> str:
    """The name of a function as PyTorch says it: `torch.nn.functional.relu`."""
    name, module = func.__name__, func.__module__ or "builtins"
    if getattr(builtins, name, None) is func:
        return f"builtins.{name}"
    if getattr(operator, name, None) is func:
        return f"operator.{name}"
    in_nn = module == "seegrad.nn.functional"
    if in_nn and name in asked_names.IN_NN:
        return f"torch._C._nn.{name}"
    if module == "seegrad.functions" or (in_nn and name in asked_names.IN_TORCH):
        in_python = asked_names.style_of("torch", name) == "Python"
        return f"torch.functional.{name}" if in_python else f"torch.{name}"
    for own in ("seegrad.ops", "seegrad"):
        if module == own or module.startswith(own + "."):
            module = "torch" + module.removeprefix(own)
            break
    return f"{module}.{name}"


def type_text(kind: Any) -> str:
    """An annotation as the printed graph says it."""
    if not isinstance(kind, type):
        return repr(kind)
    place = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
    return place.replace("seegrad.", "torch.") + kind.__qualname__


def shown(arg: Any) -> str:
    """An argument as the printed graph says it: `%` before names of nodes, strings bare."""
    if isinstance(arg, Node):
        return f"%{arg.name}"
    if isinstance(arg, list):
        return f"[{', '.join(map(shown, arg))}]"
    if isinstance(arg, tuple):
        return f"({', '.join(map(shown, arg))}{',' if len(arg) == 1 else ''})"
    if isinstance(arg, dict):
        return "{" + ", ".join(f"{key}: {shown(value)}" for key, value in arg.items()) + "}"
    return str(arg)


class Node:
    """One step of a graph: `op` says of which kind, `target` of what.

    `op` is "placeholder", "get_attr", "call_function" (target: the function), "call_method" (its
    name), "call_module" (the path of the module) or "output". Nodes among `args` and `kwargs` are
    the values of these; `users` are the nodes that use this one.

    >>> import seegrad as torch
    >>> graph = torch.fx.symbolic_trace(lambda x: torch.relu(x) + 1).graph
    >>> [(node.op, node.name) for node in graph.nodes][1:]
    [('call_function', 'relu'), ('call_function', 'add'), ('output', 'output')]
    """

    def __init__(
        self,
        graph: Any,
        name: str,
        op: str,
        target: Any,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        return_type: Any = None,
    ) -> None:
        if op not in OPS:
            raise AssertionError(f"op '{op}' is not in _legal_ops")
        if op == "call_function" and not callable(target):
            kind = type(target).__name__
            raise ValueError(
                f"Node [graph = {graph}, name = '{name}'] target {target} has type {kind} but a "
                "Callable is expected"
            )
        self.graph, self.name, self.op, self.target = graph, name, op, target
        self.type, self.meta = return_type, {}  # type: tuple[Any, dict[str, Any]]
        self.users: dict[Node, None] = {}
        self._inputs: dict[Node, None] = {}
        self._prev = self._next = self
        self._erased = False
        self._update(args, kwargs)

    def _update(self, args: Any, kwargs: Any) -> None:
        """Sets the arguments, and tells those that were used and those that are."""
        for old in self._inputs:
            old.users.pop(self, None)
        self._inputs = {}
        self._args: tuple[Any, ...] = map_arg(tuple(args), self._use)
        self._kwargs: dict[str, Any] = map_arg(dict(kwargs), self._use)
        for used in self._inputs:
            used.users.setdefault(self)

    def _use(self, node: "Node") -> "Node":
        self._inputs.setdefault(node)
        return node

    @property
    def args(self) -> tuple[Any, ...]:
        """The positional arguments; set as a whole."""
        return self._args

    @args.setter
    def args(self, args: tuple[Any, ...]) -> None:
        self._update(args, self._kwargs)

    @property
    def kwargs(self) -> dict[str, Any]:
        """The arguments by name; set as a whole."""
        return self._kwargs

    @kwargs.setter
    def kwargs(self, kwargs: dict[str, Any]) -> None:
        self._update(self._args, kwargs)

    @property
    def all_input_nodes(self) -> list["Node"]:
        """The nodes among the arguments, each once."""
        return list(self._inputs)

    next = property(lambda self: self._next)
    prev = property(lambda self: self._prev)
    stack_trace = property(lambda self: self.meta.get("stack_trace"))

    def update_arg(self, idx: int, arg: Any) -> None:
        """Sets one positional argument."""
        self.args = (*self.args[:idx], arg, *self.args[idx + 1 :])

    def insert_arg(self, idx: int, arg: Any) -> None:
        """Inserts one positional argument."""
        self.args = (*self.args[:idx], arg, *self.args[idx:])

    def update_kwarg(self, key: str, arg: Any) -> None:
        """Sets one argument by name."""
        self.kwargs = {**self.kwargs, key: arg}

    def prepend(self, x: "Node") -> None:
        """Puts a node of the graph before this one."""
        if x is self:
            return
        x._unlink()
        x._prev, x._next = self._prev, self
        self._prev._next = self._prev = x

    def append(self, x: "Node") -> None:
        """Puts a node of the graph behind this one."""
        self._next.prepend(x)

    def _unlink(self) -> None:
        self._prev._next, self._next._prev = self._next, self._prev

    def replace_all_uses_with(
        self,
        replace_with: "Node",
        delete_user_cb: Callable[["Node"], bool] | None = None,
        *,
        propagate_meta: bool = False,
    ) -> list["Node"]:
        """Has all users use another node, and returns them.

        `delete_user_cb`: says which users are changed. `propagate_meta`: `meta` goes along.
        """
        if propagate_meta:
            replace_with.meta.update(self.meta)
        changed = [user for user in self.users if delete_user_cb is None or delete_user_cb(user)]
        for user in changed:
            user.replace_input_with(self, replace_with)
        return changed

    def replace_input_with(self, old_input: "Node", new_input: "Node") -> None:
        """Uses another node wherever one was used."""
        swap = lambda node: new_input if node is old_input else node  # noqa: E731
        self._update(map_arg(self.args, swap), map_arg(self.kwargs, swap))

    def is_impure(self, impure_random: bool = True) -> bool:
        """Whether the node has to stay though nobody uses it."""
        if self.op in ("placeholder", "output"):
            return True
        if self.op == "call_module":
            return bool(getattr(self.graph.owning_module, "training", False))
        name = self.target if self.op == "call_method" else getattr(self.target, "__name__", "")
        in_place = name.endswith("_") and not name.endswith("__")
        return in_place or name in ("_assert", "_assert_is_none", "setitem", "manual_seed")

    def _pretty_print_target(self, target: Any) -> str:
        return target if isinstance(target, str) else qualified_name(target)

    def format_node(self) -> str:
        """The node as the printed graph says it."""
        if self.op == "output":
            return f"return {self.args[0]}"
        kind = f"{type_text(self.type)} " if self.type is not None else ""
        target = self._pretty_print_target(self.target)
        start = f"%{self.name} : {kind}[num_users={len(self.users)}] = {self.op}[target={target}]"
        if self.op == "placeholder":
            return start + (f"(default={self.args[0]})" if self.args else "")
        if self.op == "get_attr":
            return start
        return f"{start}(args = {shown(self.args)}, kwargs = {shown(self.kwargs)})"

    def __repr__(self) -> str:
        return self.name


__getattr__ = _missing(__name__, __all__)
