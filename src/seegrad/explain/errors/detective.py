"""A detective for errors of the graph: the one that ended the run, and those printed before."""

import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from seegrad.explain.errors.failures import Scene, cause_of, quoted
from seegrad.explain.errors.notes import running
from seegrad.explain.functions.errors import VIEW_WRITTEN
from seegrad.explain.places import Place
from seegrad.explain.record import made_of
from seegrad.explain.report import Finding
from seegrad.explain.session import Detective, Session
from seegrad.explain.source.frames import Frame, frames_of, named
from seegrad.explain.source.sources import is_caught_by_name
from seegrad.graph.asked import Entry
from seegrad.graph.tensor import TensorBase

__all__ = ["Errors", "chain"]

KEPT = 4  # errors that the program caught


class Errors(Detective):
    """Explains errors by what the graph and the record know of them."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.failures: list[tuple[BaseException, list[Frame]]] = []

    def failed(self, entry: Entry, args: Any, kwargs: Any, error: BaseException) -> None:
        """Keeps the first errors with the lines they came from."""
        if len(self.failures) < KEPT and hasattr(error, "facts"):
            self.failures.append((error, running(sys._getframe(1), with_names=False)))

    def findings(self) -> Iterable[Finding]:
        """The cause of the error that ended the run, or of those it printed before it failed."""
        ended = list(chain(self.session.error))
        for error in ended:
            found = self.explained(error, frames_of(error))
            if found is not None:
                return [found]
        if self.session.ended_well():  # a program that shows errors on purpose
            return []
        caught = [(e, f) for e, f in self.failures if any(is_caught_by_name(x.place) for x in f)]
        found_all = [self.explained(error, frames) for error, frames in caught]
        return [replace(found, weight=2) for found in found_all if found is not None]

    def explained(self, error: BaseException, frames: list[Frame]) -> Finding | None:
        """The cause of one error, with the names of the program."""
        place = frames[-1].place if frames else None
        names = self.session.names
        scopes = [*(frame.names for frame in reversed(frames)), names]
        name_of = partial(named, scopes=scopes)
        found = cause_of(error, Scene(self.session.record, place, frames, names, name_of))
        return found or self.written_view(error, place)

    def written_view(self, error: BaseException, place: Place | None) -> Finding | None:
        """A write into one of several views that one call gave."""
        if VIEW_WRITTEN not in str(error):
            return None
        args = self.session.record.failures[-1][1] if self.session.record.failures else ()
        made = made_of(args[0]) if args and isinstance(args[0], TensorBase) else None
        says = (
            "this line writes in place into a view of which the graph keeps no track, as one call "
            "gave several or recording was off: compute a new tensor instead"
        )
        where = quoted(made.place, "the view was made") if made is not None else ()
        return Finding("view-regenerated", says, place, where, weight=3)


def chain(error: BaseException | None) -> Iterator[BaseException]:
    """An error and those it was raised from."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
