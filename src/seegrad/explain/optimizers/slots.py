"""Parameters whose place in a module a new one took, while an optimizer steps the old one."""

from collections.abc import Iterable
from typing import Any

from seegrad.explain.gradients.chains import ancestors, selves
from seegrad.explain.gradients.wordings import sentence
from seegrad.explain.optimizers.books import Leaf
from seegrad.explain.optimizers.ledger import books_of, was_raised_by_user
from seegrad.explain.report import Finding
from seegrad.explain.session import Detective
from seegrad.explain.source import text as text_of
from seegrad.graph.asked import Entry
from seegrad.graph.backward import Pass
from seegrad.graph.observed import Listener

__all__ = ["Slots"]


class Slot:
    """What an optimizer got from a module under a name, and what passes found there later."""

    __slots__ = ("module", "name", "new", "old", "steps")

    def __init__(self, module: Any, name: str, old: Leaf) -> None:
        self.module = module  # kept, so that its id is not another one's
        self.name = name
        self.old = old
        self.new: list[Leaf] = []
        self.steps = 0  # of the optimizers of the old one, when the first new one was met


class Slots(Detective):
    """Compares what stands in modules at each pass with what optimizers got from there."""

    def __init__(self, session: Any) -> None:
        super().__init__(session)
        self.slots: dict[tuple[int, str], Slot] = {}
        self.known: set[int] = set()  # leaves that were looked at

    def listener(self, entry: Entry) -> Listener | None:
        """Hears of optimizers that are made, or get more."""
        names = ("Optimizer.__init__", "Optimizer.add_param_group")
        return self.fill if entry.name in names else None

    def fill(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """Notes where the modules have what an optimizer got."""
        books = books_of(self.session)
        got = {id(p) for group in args[0].param_groups for p in group["params"]}
        for module in books.living():
            for name, value in module._parameters.items():
                if id(value) in got:
                    key = id(module), name
                    self.slots[key] = Slot(module, name, books.leaf(value))

    def began(self, current: Pass) -> bool:
        """A pass that accumulates may reach parameters that nobody holds."""
        if not self.slots or current.captures is not None:
            return False
        books = books_of(self.session)
        for node in current.leaves():
            leaf = books.leaf(node.variable)  # type: ignore[attr-defined]
            if leaf.number not in self.known:
                self.known.add(leaf.number)
                if leaf.is_parameter and not leaf.held:
                    self.compare(leaf)
        return False

    def compare(self, leaf: Leaf) -> None:
        """Whether a leaf that nobody holds stands where a held one stood."""
        tensor = leaf.ref()
        for slot in self.slots.values():
            if slot.module._parameters.get(slot.name) is tensor and leaf is not slot.old:
                if not slot.new:
                    slot.steps = steps_of(slot.old)
                slot.new.append(leaf)

    def findings(self) -> Iterable[Finding]:
        """The parameters that get gradients while the steps go to those they took the place of."""
        error = self.session.error
        if error is not None and not was_raised_by_user(self.session):
            return
        found: dict[Any, list[Slot]] = {}
        for slot in self.slots.values():
            passes = sum(leaf.passes for leaf in slot.new)
            moved = any(leaf.held or leaf.moved for leaf in slot.new)
            if passes > (error is None) and not moved and steps_of(slot.old) > slot.steps:
                place = slot.new[0].made.place
                found.setdefault(place and text_of.installed(place), []).append(slot)
        for place, slots in found.items():
            names = [f"{type(slot.module).__name__}.{slot.name}" for slot in slots]
            names = list(dict.fromkeys(names))
            made = {held.place for held in slots[0].old.holders}
            evidence = tuple(f"An optimizer was made at {one}." for one in made if one is not None)
            kind = "replaced-parameter"
            if is_of_others(slots[0]):  # what another network computes, which is to learn
                kind, names = "copied-not-linked", ["what this is computed from"]
            says = sentence(kind, names)
            yield Finding(kind, says, place, evidence, weight=2 if error is None else 3)


def is_of_others(slot: Slot) -> bool:
    """Whether the new parameter was computed from tensors with a history, not from the old one."""
    made = slot.new[0].made
    sources = [parent for parent in made.parents if parent.recorded and parent.parents]
    return bool(sources) and not selves(slot.old.made) & ancestors(sources)


def steps_of(leaf: Leaf) -> int:
    """How often the optimizers that hold a leaf have stepped."""
    return sum(held.steps for held in leaf.holders)
