"""Hooks on a view whose base was written to later: they stand on a node of its old history."""

import weakref
from collections.abc import Iterable
from typing import Any

from seegrad.explain.gradients.chains import ancestors
from seegrad.explain.gradients.gradientless import is_authors
from seegrad.explain.record import made_of
from seegrad.explain.report import Finding
from seegrad.explain.session import Detective
from seegrad.graph.asked import Entry
from seegrad.graph.counters import Untracked
from seegrad.graph.observed import Listener
from seegrad.graph.views import history

__all__ = ["LostHooks"]

KEPT = 100


class LostHooks(Detective):
    """Finds hooks that no pass can come to any more."""

    def __init__(self, session: Any) -> None:
        super().__init__(session)
        # Views with their node, the version they had, the hooks of the node, the key among them.
        self.hooked: list[tuple[weakref.ref[Any], int, int, Any, int]] = []

    def listener(self, entry: Entry) -> Listener | None:
        """Hears of hooks."""
        return self.hook if entry.name == "register_hook" else None

    def hook(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """`view.register_hook(f)`."""
        tensor = args[0]
        node = history(tensor) if tensor._view is not None else None
        if node is None or tensor._counter.__class__ is Untracked or len(self.hooked) >= KEPT:
            return
        hooks, version = result.hooks_dict_ref(), tensor._counter.value
        self.hooked.append((weakref.ref(tensor), node._sequence, version, hooks, result.id))

    def findings(self) -> Iterable[Finding]:
        """The writes that gave hooked views a new history, of which passes ran."""
        error = self.session.error
        if error is not None and not is_authors(self.session):
            return
        passes = self.session.record.passes
        for reference, sequence, version, hooks, key in self.hooked:
            tensor = reference()
            if tensor is None or key not in hooks:
                continue  # it was removed
            node, made = history(tensor), made_of(tensor)
            if node is None or node._sequence == sequence:
                continue
            writes = [
                one
                for one in self.session.record.writes_to(tensor)
                if one.version is not None and one.version > version
            ]
            if writes and any(made in ancestors(one.roots) for one in passes):
                name = self.session.name_of(tensor) or "a view"
                says = (
                    f"this write gives {name}, a view of what is written to, a new history, and "
                    "the hook stays on the old one, so it never runs: register it after the write"
                )
                weight = 2 if error is None else 3
                yield Finding("view-regenerated", says, writes[0].place, weight=weight)
