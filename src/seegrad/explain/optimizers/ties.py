"""Parameters that are shared between modules, and stop to be."""

import weakref
from collections.abc import Iterator
from typing import Any, NamedTuple

from seegrad.explain.places import Place
from seegrad.nn.modules.module import Module

__all__ = ["Broken", "Ties"]

BUDGET = 300_000  # parameters that are looked at in a run


class Slot:
    """Where a parameter stands: in a module, which stands in another one."""

    __slots__ = ("child", "kind", "module", "name", "parent")

    def __init__(self, module: Module, name: str, parent: tuple[Module, str] | None) -> None:
        self.module = weakref.ref(module)
        self.name = name
        self.kind = type(module).__name__
        self.parent = weakref.ref(parent[0]) if parent is not None else None
        self.child = parent[1] if parent is not None else ""

    def value(self) -> Any:
        """What stands there now."""
        module = self.module()
        parent = self.parent() if self.parent is not None else None
        if parent is not None:
            module = parent._modules.get(self.child)
        return module._parameters.get(self.name) if module is not None else None

    def __str__(self) -> str:
        return f"{self.child or self.kind}.{self.name}"


class Broken(NamedTuple):
    """Two places that shared a parameter, and the one that is new in one of them."""

    one: str
    other: str
    new: Any
    kept: Any


class Ties:
    """Knows which parameters are shared."""

    def __init__(self) -> None:
        self.spent = 0
        self.last: Place | None = None
        self.ties: dict[tuple[int, int, str, str], tuple[Slot, Slot]] = {}
        self.broken: list[Broken] = []

    def look(self, modules: list[Module], place: Place | None) -> None:
        """Notes what is shared now, before something at a line changes it."""
        if place == self.last or self.spent > BUDGET:
            return
        self.last = place
        found: dict[int, tuple[Module, str]] = {}
        for module in modules:
            for name, parameter in module._parameters.items():
                self.spent += 1
                first = found.setdefault(id(parameter), (module, name))
                if parameter is not None and first != (module, name):
                    self.note(first, (module, name), modules)

    def note(
        self, one: tuple[Module, str], other: tuple[Module, str], modules: list[Module]
    ) -> None:
        """Two places share a parameter."""
        key = (id(one[0]), id(other[0]), one[1], other[1])
        if key not in self.ties:
            parents = {
                id(child): (module, name)
                for module in modules
                for name, child in module._modules.items()
            }
            slots = [Slot(m, name, parents.get(id(m))) for m, name in (one, other)]
            self.ties[key] = (slots[0], slots[1])

    def check(self) -> None:
        """Notes which ties are broken."""
        for key, (one, other) in list(self.ties.items()):
            left, right = one.value(), other.value()
            if left is not None and right is not None and left is not right:
                new, kept = (left, right) if number(left) > number(right) else (right, left)
                self.broken.append(Broken(str(one), str(other), new, kept))
                del self.ties[key]

    def __iter__(self) -> Iterator[Broken]:
        return iter(self.broken)


def number(parameter: Any) -> int:
    """When a parameter was made."""
    made = parameter._made
    return made.number if made is not None else 0
