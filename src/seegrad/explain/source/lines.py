"""Which line of the program changed memory that NumPy sees too.

No call of the library tells of such a write. So from the moment memory is shared, the lines of the
user's own program are traced, and after each one the shared memory is compared with how it was.
"""

import os
import sys
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

import numpy as np

from seegrad.explain.places import Place, is_foreign

__all__ = ["Lines"]

WATCHED = 32  # pieces of memory; the last ones
LOOKED_AT = 8192  # bytes of each piece; of larger ones a part of the elements


class Lines:
    """Tells `changed(array, place)` of a change of shared memory, and after which line it came."""

    def __init__(self, changed: Callable[[Any, Place | None], None]) -> None:
        self.changed = changed
        self.pieces: list[tuple[Any, bytes]] = []
        self.last: tuple[CodeType, int] | None = None
        self.is_tracing = False
        self.is_stale = False  # gradcheck moves inputs before each call, and puts them back

    def watch(self, array: Any) -> None:
        """Looks at this memory from now on."""
        self.pieces = [pair for pair in self.pieces if not is_same(pair[0], array)]
        self.pieces = [*self.pieces[1 - WATCHED :], (array, sample(array))]
        if not self.is_tracing and sys.gettrace() is None:
            self.start()

    def refresh(self, array: Any) -> None:
        """The library itself wrote to this memory."""
        if self.pieces:
            self.pieces = [(piece, sample(piece)) for piece, _ in self.pieces]

    def start(self) -> None:
        """Traces this thread: the user's frames that run, and those that will."""
        self.is_tracing = True
        frame: FrameType | None = sys._getframe(1)
        while frame is not None:
            if is_users(frame):
                frame.f_trace = self.step
                self.last = self.last or (frame.f_code, frame.f_lineno)
            frame = frame.f_back
        sys.settrace(self.call)

    def stop(self) -> None:
        """Traces no longer, unless somebody else does."""
        if self.is_tracing and getattr(sys.gettrace(), "__self__", None) is self:
            sys.settrace(None)
        self.is_tracing = False
        self.pieces = []

    def call(self, frame: FrameType, event: str, arg: Any) -> Any:
        """A function is entered: lines of the user's own are traced."""
        if not self.is_tracing or not is_users(frame):
            return None
        return self.step(frame, event, arg)

    def step(self, frame: FrameType, event: str, arg: Any) -> Any:
        """A line is about to run, or its function is left."""
        if not self.is_tracing:
            return None
        if event in ("line", "call", "return"):
            checked = event != "line" and is_checked(frame)
            self.is_stale = self.is_stale or (checked and event == "call")
            self.look()
            self.is_stale = checked and event == "return"
            self.last = (frame.f_code, frame.f_lineno)
            if event == "return" and frame.f_back is not None:
                outer = frame.f_back
                if is_users(outer):
                    self.last = (outer.f_code, outer.f_lineno)
        return self.step

    def look(self) -> None:
        """Compares the shared memory with how it was after the line before."""
        if self.is_stale:
            self.is_stale = False
            self.refresh(None)
        for number, (array, before) in enumerate(self.pieces):
            now = sample(array)
            if now != before:
                self.pieces[number] = (array, now)
                self.changed(
                    part(array, before, now), None if self.last is None else Place(*self.last)
                )


def is_users(frame: FrameType) -> bool:
    """Whether a frame belongs to the program; not what `namedtuple` and the like wrote."""
    file = frame.f_code.co_filename
    return file != "<string>" and not is_foreign(file)


def is_checked(frame: FrameType) -> bool:
    """Whether gradcheck calls this function."""
    back = frame.f_back
    while back is not None and is_foreign(back.f_code.co_filename):
        if os.path.basename(back.f_code.co_filename).startswith(("_jacobians", "_gradcheck")):
            return True
        back = back.f_back
    return False


def part(array: Any, before: bytes, now: bytes) -> Any:
    """From the first to the last element that has changed, where that can be told."""
    if not array.flags.c_contiguous or len(now) != array.nbytes:
        return array
    old, new = (np.frombuffer(one, np.uint8).reshape(array.size, -1) for one in (before, now))
    places = np.flatnonzero((old != new).any(axis=1))
    return array.reshape(-1)[places[0] : places[-1] + 1]


def is_same(array: Any, other: Any) -> bool:
    """Whether two arrays show the same memory."""
    mine, theirs = array.__array_interface__, other.__array_interface__
    return bool(mine["data"] == theirs["data"] and array.nbytes == other.nbytes)


def sample(array: Any) -> bytes:
    """The bytes of an array, of a large one those of some elements."""
    if array.nbytes <= LOOKED_AT:
        found: bytes = array.tobytes()
        return found
    step = array.nbytes // LOOKED_AT + 1
    return array.flat[::step].tobytes()  # type: ignore[no-any-return]
