"""Under `watch()` an error of the graph says itself which line is behind it."""

import sys
from functools import partial
from types import FrameType
from typing import Any

from seegrad.errors import noted
from seegrad.explain.errors.failures import Scene, cause_of
from seegrad.explain.places import Place, is_foreign
from seegrad.explain.record import Record
from seegrad.explain.source.frames import Frame, named
from seegrad.graph.asked import Entry
from seegrad.graph.observed import Observer

__all__ = ["Notes", "running"]


class Notes(Observer):
    """Adds to errors what a record knows of them."""

    def __init__(self, record: Record) -> None:
        self.record = record

    def failed(self, entry: Entry, args: Any, kwargs: Any, error: BaseException) -> None:
        """A note that begins with the line, where the graph said what the error is about."""
        frames = running(sys._getframe(1))
        if not frames:
            return
        scopes = [frame.names for frame in reversed(frames)]
        name_of = partial(named, scopes=scopes)
        found = cause_of(error, Scene(self.record, frames[-1].place, frames, {}, name_of))
        if found is not None:
            noted(error, str(found))


def running(frame: FrameType | None, with_names: bool = True) -> list[Frame]:
    """The user's frames that are running, the innermost last, their variables where asked for."""
    found = []
    while frame is not None:
        if not is_foreign(frame.f_code.co_filename):
            names = frame.f_locals if with_names else {}
            found.append(Frame(Place(frame.f_code, frame.f_lineno), names))
        frame = frame.f_back
    return found[::-1]
