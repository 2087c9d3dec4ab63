"""Lists and dictionaries outside of a Function that keep tensors of every call."""

from collections import deque
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

from seegrad.explain.functions.calls import Array, Call, Outcome
from seegrad.explain.functions.source import FunctionSource
from seegrad.explain.places import Place
from seegrad.explain.quiet import Quiet, outer_names
from seegrad.graph.node import Node
from seegrad.graph.tensor import TensorBase

__all__ = ["containers", "growing", "held_by"]

_KINDS = (list, dict, set, deque)


def containers(cls: Any) -> dict[str, Any]:
    """The containers that a Function's methods may reach, by the names they have there."""
    found = {f"{cls.__name__}.{n}": v for c in cls.__mro__ for n, v in vars(c).items()}
    for function in (cls.forward, cls.backward, cls.setup_context):
        for name, value in outer_names(function).items():
            found[name] = value
            if isinstance(getattr(value, "__dict__", None), dict) and value is not cls:
                if type(value).__name__ != "module":
                    found |= {f"{name}.{n}": v for n, v in vars(value).items()}
    return {name: value for name, value in found.items() if isinstance(value, _KINDS)}


def growing(
    call: Call,
    quiet: Quiet,
    run: Callable[[], Outcome],
    backward: Callable[[Outcome], list[Array | None]],
) -> str | None:
    """The name of a container that keeps tensors, or graphs, of each of three calls."""
    owned = {name: one for name, one in containers(call.cls).items() if not bounded(one)}
    counts = []
    for _ in range(3):
        counts.append({name: held(one, call.size) for name, one in owned.items()})
        backward(run())
    counts.append({name: held(one, call.size) for name, one in owned.items()})
    for name in owned:
        if all(later[name] > earlier[name] for earlier, later in pairwise(counts)):
            return name
    return None


def bounded(container: Any) -> bool:
    return isinstance(container, deque) and container.maxlen is not None


def held(container: Any, size: int) -> int:
    """How many tensors of the size of the inputs, or graphs, a container holds."""
    return sum(1 for one in items(container) if is_large(one, size))


def items(container: Any, depth: int = 0) -> Iterator[Any]:
    """What is in a container, and in containers in it."""
    values = list(container.values() if isinstance(container, dict) else container)
    for value in values:
        if isinstance(value, (*_KINDS, tuple)) and depth < 2:
            yield from items(value, depth + 1)
        else:
            yield value


def is_large(value: Any, size: int) -> bool:
    if isinstance(value, TensorBase):
        return value.requires_grad or 2 * value._array.size >= min(size, 2)  # type: ignore[attr-defined]
    return isinstance(value, Node)


def held_by(source: FunctionSource, name: str) -> Place | None:
    """The line that puts something into a container."""
    last = name.rpartition(".")[2]
    for one in (*source.saving, source.backward):
        found = one.keeps_in(last)
        if found is not None:
            return one.place(found)
    return source.forward.place()
