"""The text of a graph as a Python function, as PyTorch writes it."""

import builtins
import operator
import re
import sys
from typing import Any, NamedTuple

from seegrad.device import device
from seegrad.fx.node import Node, map_arg, qualified_name, type_text

__all__ = ["BUILTIN_NAMES", "PythonCode", "target_value", "written"]

# Found, and not imported: it stands above this module.
TORCH = sys.modules["seegrad"]

# What a program finds without saying where: names of nodes keep away from them.
GLOBALS = {"inf": float("inf"), "nan": float("nan"), "NoneType": type(None), "torch": TORCH}
GLOBALS |= {"device": device, "fx_pytree": None, "pytree": None}
BUILTIN_NAMES = frozenset(dir(builtins)) | GLOBALS.keys()

SYMBOLS = {
    "eq": "{} == {}", "ne": "{} != {}", "lt": "{} < {}", "gt": "{} > {}", "le": "{} <= {}",
    "ge": "{} >= {}", "pos": "+{}", "neg": "-{}", "invert": "~{}", "add": "{} + {}",
    "sub": "{} - {}", "mul": "{} * {}", "floordiv": "{} // {}", "truediv": "{} / {}",
    "mod": "{} % {}", "lshift": "{} << {}", "rshift": "{} >> {}", "and_": "{} & {}",
    "or_": "{} | {}", "xor": "{} ^ {}", "getitem": "{}[{}]", "matmul": "{} @ {}",
    "pow": "{} ** {}",
}  # fmt: skip


class PythonCode(NamedTuple):
    """A program as text, and what has to be there when it is run."""

    src: str
    globals: dict[str, Any]


def target_value(root: Any, target: str) -> Any:
    """What stands in a module under a path: `target_value(net, "layers.0.weight")`."""
    for name in target.split("."):
        root = getattr(root, name)
    return root


def reached(root: Any, target: str) -> bool:
    """Whether something stands under a path."""
    try:
        target_value(root, target)
    except AttributeError:
        return False
    return True


def written(graph: Any, root_module: str) -> PythonCode:
    """The function `forward` of a graph."""
    return _Writer(graph, root_module).code()


class _Writer:
    def __init__(self, graph: Any, root_module: str) -> None:
        self.graph, self.root = graph, root_module
        self.globals = dict(GLOBALS)
        self.wrapped: dict[str, None] = {}
        self.last_uses: dict[Node, list[Node]] = {}
        seen: set[Node] = set()
        for user in reversed(graph.nodes):
            for used in user.all_input_nodes:
                if used not in seen:
                    seen.add(used)
                    self.last_uses.setdefault(user, []).append(used)

    def code(self) -> PythonCode:
        """The whole text."""
        parameters, lines, returned = [self.root], [], ""
        for node in self.graph.nodes:
            if node.op == "placeholder":
                parameters.append(self.parameter(node))
                star_free = node.target.replace("*", "")
                if star_free != node.name:
                    lines.append(f"{node.name} = {star_free}")
            elif node.op == "output":
                returned = f" -> {self.kind(node.type)}" if node.type is not None else ""
                lines.append(f"return {self.value(node.args[0])}")
            else:
                lines.append(f"{node.name} = {self.expression(node)}{self.forgotten(node)}")
        body = "".join(f"{line}\n    " for line in lines or ["pass"])
        calls = [f'torch.fx._symbolic_trace.wrap("{name}")' for name in self.wrapped]
        head = f"def forward({', '.join(parameters)}){returned}:"
        return PythonCode("\n" + "\n".join(calls) + f"\n\n{head}\n    {body}", self.globals)

    def parameter(self, node: Node) -> str:
        kind = f" : {self.kind(node.type)}" if node.type is not None else ""
        return str(node.target) + kind + (f" = {self.value(node.args[0])}" if node.args else "")

    def forgotten(self, node: Node) -> str:
        """Has values be free that are used for the last time."""
        names = [used.name for used in self.last_uses.get(node, ())]
        names += [node.name] if not node.users else []
        return f";  {' = '.join([*names, 'None'])}" if names else ""

    def expression(self, node: Node) -> str:
        if node.op == "get_attr":
            return self.path(node.target)
        if node.op == "call_module":
            return f"{self.path(node.target)}({self.arguments(node.args, node.kwargs)})"
        if node.op == "call_method":
            of = self.value(node.args[0])
            return f"{of}.{node.target}({self.arguments(node.args[1:], node.kwargs)})"
        target, args = node.target, node.args
        name = target.__name__
        if getattr(operator, name, None) is target and name in SYMBOLS:
            return SYMBOLS[name].format(*map(self.value, args))
        if target is getattr and isinstance(args[1], str) and args[1].isidentifier():
            return f"{self.value(args[0])}.{args[1]}"
        place = self.placed(target)
        if node.meta.get("is_wrapped"):
            self.wrapped.setdefault(place)
        return f"{place}({self.arguments(args, node.kwargs)})"

    def path(self, target: str) -> str:
        text = self.root
        for name in target.split("."):
            text = f"{text}.{name}" if name.isidentifier() else f'getattr({text}, "{name}")'
        return text

    def placed(self, target: Any) -> str:
        """How the text names a function: as it stands under torch, or as a global of its own."""
        name = qualified_name(target)
        if name.startswith("builtins."):
            return name.removeprefix("builtins.")
        if name.startswith("torch.") and reached(TORCH, name.removeprefix("torch.")):
            return name
        return self.known(name.replace("operator.", "_operator."), target)

    def known(self, name: str, value: Any) -> str:
        """A global of this value."""
        name = base = re.sub("[^0-9a-zA-Z_]+", "_", name)
        count = 0
        while self.globals.get(name, value) is not value:
            count += 1
            name = f"{base}_{count}"
        self.globals[name] = value
        return name

    def kind(self, kind: Any) -> str:
        if isinstance(kind, type):
            text = type_text(kind)
            if kind.__module__ == "builtins" or text.startswith("torch."):
                return text
        return self.known(type_text(kind), kind)

    def arguments(self, args: Any, kwargs: Any) -> str:
        texts = [self.value(arg) for arg in args]
        return ", ".join(texts + [f"{key} = {self.value(arg)}" for key, arg in kwargs.items()])

    def value(self, arg: Any) -> str:
        """An argument as text; the text of a node is its name."""
        if isinstance(arg, tuple) and hasattr(arg, "_fields"):
            return f"{self.known(type(arg).__qualname__, type(arg))}{tuple(arg)!r}"
        if isinstance(arg, type):
            return self.kind(arg)
        return repr(map_arg(arg, lambda node: node))
