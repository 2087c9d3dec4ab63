"""Who keeps tensors: a walk through a program's variables, lists and objects, with their names."""

import time
from collections import deque
from collections.abc import Iterator, Mapping
from types import FunctionType, MethodType
from typing import Any, NamedTuple

from seegrad.autograd.function import Function
from seegrad.graph.node import Node
from seegrad.graph.tensor import TensorBase, requires
from seegrad.nn.modules.module import Module

__all__ = ["Keeper", "graph_of", "keepers"]

SEQUENCES = (list, tuple, deque, set, frozenset)
DEEPEST = 5
SECONDS = 0.05  # for one walk
MOST = 20_000  # items looked at in one container
_ENGINE = frozenset(["seegrad", "torch", "numpy", "builtins"])
_MODULES_OWN = frozenset(vars(Module())) - {"_modules"}


class Keeper(NamedTuple):
    """A variable, an attribute or a container, and the tensors it keeps."""

    path: str  # as the program would write it: "history['valid']", "self.items", "h"
    container: Any  # None where `path` is one tensor
    tensors: list[TensorBase]
    owner: Any  # the object or class whose attribute it is, None for a variable


def graph_of(tensor: TensorBase) -> Node | None:
    """The node that made a tensor, or the base it is a view of; None for a leaf."""
    while tensor._node is None and tensor._view is not None and requires(tensor):
        tensor = tensor._view.base
    return tensor._node


def keepers(names: Mapping[str, Any], seconds: float = SECONDS) -> Iterator[Keeper]:
    """What variables keep, near ones first; ends when time is over."""
    until = time.perf_counter() + seconds
    seen: set[int] = set()
    waiting = deque(
        (name, value, None, 0) for name, value in list(names.items()) if not name.startswith("__")
    )
    while waiting and time.perf_counter() < until:
        path, value, owner, depth = waiting.popleft()
        if id(value) in seen:
            continue
        if isinstance(value, TensorBase):
            yield Keeper(path, None, [value], owner)
            continue
        seen.add(id(value))
        if isinstance(value, (*SEQUENCES, dict)):
            tensors, inner = contents(path, value)
            if tensors:
                yield Keeper(path, value, tensors, owner)
        else:
            inner = parts(path, value)
            owner = value
        if depth < DEEPEST:
            waiting.extend((name, one, owner, depth + 1) for name, one in inner)


def contents(path: str, value: Any) -> tuple[list[TensorBase], list[tuple[str, Any]]]:
    """The tensors of a container, also those in its tuples, and what else is in it."""
    tensors: list[TensorBase] = []
    inner: list[tuple[str, Any]] = []
    if isinstance(value, dict):
        pairs = [(f"{path}[{key!r}]", one) for key, one in list(value.items())[:MOST]]
    else:
        pairs = [(path, one) for one in list(value)[:MOST]]
    for number, (name, one) in enumerate(pairs):
        if isinstance(one, TensorBase):
            tensors.append(one)
        elif isinstance(one, (tuple, list, dict)) and not isinstance(value, dict):
            items = one.values() if isinstance(one, dict) else one
            found = [item for item in list(items)[:MOST] if isinstance(item, TensorBase)]
            tensors += found
            if not found and number < 20:
                inner.append((f"{path}[{number}]", one))
        elif number < 200:
            inner.append((name if isinstance(value, dict) else f"{path}[{number}]", one))
    return tensors, inner


def parts(path: str, value: Any) -> list[tuple[str, Any]]:
    """What an object, a class or a function of the user's holds."""
    if isinstance(value, FunctionType):
        if value.__module__.partition(".")[0] in _ENGINE:
            return []
        held = list(zip(value.__code__.co_freevars, closed_over(value), strict=False))
        defaults = value.__defaults__ or ()
        names = value.__code__.co_varnames[: value.__code__.co_argcount]
        return held + list(zip(names[len(names) - len(defaults) :], defaults, strict=False))
    if isinstance(value, MethodType):
        return [(path, value.__self__)]
    if isinstance(value, type):
        if value.__module__.partition(".")[0] in _ENGINE:
            return []
        return [(f"{path}.{n}", one) for n, one in vars(value).items() if not n.startswith("__")]
    if isinstance(value, Module):
        own = [(f"{path}.{n}", v) for n, v in vars(value).items() if n not in _MODULES_OWN]
        own += [(f"{path}.{n}", v) for n, v in value._modules.items()]
        return [(name, one) for name, one in own if not name.endswith("._modules")]
    if type(value).__module__.partition(".")[0] in _ENGINE:
        return []
    found = getattr(value, "__dict__", None)
    pairs = list(found.items()) if isinstance(found, dict) else []
    for name in getattr(type(value), "__slots__", ()):
        if isinstance(name, str) and hasattr(value, name):
            pairs.append((name, getattr(value, name)))
    return [(f"{path}.{name}", one) for name, one in pairs]


def closed_over(function: FunctionType) -> list[Any]:
    """The values of the variables that a function has from outside."""
    found = []
    for cell in function.__closure__ or ():
        try:
            found.append(cell.cell_contents)
        except ValueError:  # not yet assigned
            found.append(None)
    return found


def is_functions(owner: Any) -> bool:
    """Whether an owner is a class of custom Functions."""
    return isinstance(owner, type) and issubclass(owner, Function)
