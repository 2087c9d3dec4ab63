"""What changes between a custom Function's forward and its backward, in the user's own run."""

from collections.abc import Callable, Iterator
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

import numpy as np

from seegrad.explain.functions.second import kept_on
from seegrad.explain.functions.source import FunctionSource, Source
from seegrad.explain.quiet import outer_names
from seegrad.graph.tensor import TensorBase

__all__ = ["Kept", "Outside", "changing", "kept_tensors"]

_PLAIN = (bool, int, float, str, type(None))


class Kept(NamedTuple):
    """A tensor on a ctx, as it was when forward had run."""

    name: str
    tensor: Any
    version: int
    copy: Any

    def has_changed(self) -> bool:
        """Whether it was written to since."""
        if self.tensor._counter.value != self.version:
            return True
        same = self.copy is None or np.array_equal(self.tensor._array, self.copy, equal_nan=True)
        return not same


def kept_tensors(ctx: Any) -> tuple[Kept, ...]:
    """The tensors that a user put on a ctx by attribute."""
    found = []
    for name, value in kept_on(ctx).items():
        for one in value if isinstance(value, (list, tuple)) else (value,):
            if isinstance(one, TensorBase):
                copy = one._array.copy() if one._array.size <= 1024 else None
                found.append(Kept(name, one, one._counter.value, copy))
    return tuple(found)


class Outside:
    """What both forward and backward of one Function read outside of their arguments."""

    def __init__(self, source: FunctionSource) -> None:
        self.source = source
        forward: dict[str, Any] = {}
        for one in source.saving:
            forward |= one.chains()
        backward = source.backward.chains()
        self.scopes = [outer_names(one.function) for one in (source.forward, source.backward)]
        own = {text for one in (*source.saving, source.backward) for text in one.sets()}
        shared = [text for text in backward if text in forward and text not in own]
        self.codes = {}
        for text in shared:
            value = self.value(text, None)
            if not callable(value) and not isinstance(value, (ModuleType, FunctionType)):
                self.codes[text] = compile(text, "<chain>", "eval")

    def value(self, text: str, code: Any) -> Any:
        """What a chain of names is worth now; itself where it cannot be told."""
        scope = outer_names(self.source.backward.function)
        try:
            return eval(code or text, {"__builtins__": {}}, scope)
        except Exception:
            return text

    def now(self) -> dict[str, Any]:
        """The plain values of all, so that they can be compared later."""
        if not self.codes:
            return {}
        return {text: plain(self.value(text, code)) for text, code in self.codes.items()}

    def changed(self, before: dict[str, Any]) -> Iterator[tuple[str, Any, Any]]:
        """What is another value now: its text, the old value and the new one."""
        for text, now in self.now().items():
            if text not in before or before[text] == now:
                continue
            # What other calls put beside an item is no harm to who reads that item.
            if not self.source.backward.only_indexed(text) or items_differ(before[text], now):
                yield text, before[text], now


def changing(source: Source, run: Callable[[], object]) -> Any:
    """The first expression of a function that reads what a run changes outside of it; or None.

    Where there is a number among them, that before a container.
    """
    before = [(node, text, plain(read(text, source))) for node, text in source.outer_reads()]
    run()
    found = [(node, old) for node, text, old in before if plain(read(text, source)) != old]
    numbers = [node for node, old in found if isinstance(old, _PLAIN)]
    return (numbers or [node for node, _ in found] or [None])[0]


def read(text: str, source: Source) -> Any:
    """What a chain of names is worth to a function now; its text where unknown."""
    try:
        value = eval(text, {"__builtins__": {}}, outer_names(source.function))
    except Exception:
        return text
    return repr(value) if type(value).__module__ == "itertools" else value


def items_differ(before: Any, now: Any) -> bool:
    """Whether items that were there have other values now, as `plain` says them."""
    if isinstance(before, dict) and isinstance(now, dict):
        return any(key in now and now[key] != value for key, value in before.items())
    if isinstance(before, list) and isinstance(now, list):
        return any(a != b for a, b in zip(before, now, strict=False))
    return bool(before != now)


def plain(value: Any) -> Any:
    """A value that can be compared later: numbers, short texts, versions of tensors."""
    if isinstance(value, _PLAIN):
        return value
    if isinstance(value, TensorBase):
        small = value._array.tolist() if value._array.size == 1 else None
        return "tensor", id(value), value._counter.value, small
    if isinstance(value, dict) and len(value) < 64:
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)) and len(value) < 64:
        return [plain(one) for one in value]
    return type(value).__name__
