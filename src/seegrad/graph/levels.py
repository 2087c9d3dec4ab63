"""Which levels of forward mode are open, and who carries tangents at them.

Note [Levels]: at an open level a tensor may carry a tangent beside its value: the derivative of
the value in one direction. Operators give their results the tangents (`operators/forward.py`);
when the level is closed they are gone. A tensor that carries one says ASK in `_requires_grad`, and
the thread that opened the level has a mode of 2 (Note [Two doors]), so no line of the hot path
knows of tangents. Levels inside of each other are other directions: what the tangent of a level
carries itself is of earlier levels only, so that perturbations are not confused. At its level a
tensor is seen by formulas without the tangents of that level and of later ones (`below`).

    x, tangents {0: a, 1: b}, b with {0: c}        x + a e0 + b e1 + c e0 e1

A view carries a view of the tangent of its base, made when it is asked for. To forward mode what
`make_dual` returns is a base, though it is a view of its primal.
"""

import itertools
import weakref
from typing import Any, Final

from seegrad.graph.state import ASK, thread

__all__ = [
    "LEVELS", "Level", "Tangents", "ask", "bearing", "carries", "close_level", "is_enabled",
    "open_level",
]  # fmt: skip

next_number = itertools.count().__next__


class Tangents:
    """The tangents of one tensor, by the number of the level."""

    __slots__ = ("__weakref__", "at", "base", "chain", "rooted")

    def __init__(self, base: Any = None, chain: Any = None) -> None:
        self.at: dict[int, Any] = {}
        # For a view of what `make_dual` returned: that, and how it leads to the view.
        self.base = base
        self.chain = chain
        self.rooted = False  # what `make_dual` returned


class Level:
    """One open level: its number, and who carries a tangent there."""

    __slots__ = ("holders", "number")

    def __init__(self) -> None:
        self.number = next_number()
        self.holders: weakref.WeakSet[Tangents] = weakref.WeakSet()


class Levels:
    """The open levels of all threads, by number."""

    __slots__ = ("open",)

    def __init__(self) -> None:
        self.open: dict[int, Level] = {}


LEVELS: Final = Levels()


def open_level() -> Level:
    """Opens a level: this thread's operators take the general path from now on."""
    level = Level()
    LEVELS.open[level.number] = level
    thread.state.levels += 1
    thread.state.refresh()
    return level


def close_level(level: Level) -> None:
    """Closes a level, and takes all its tangents away."""
    del LEVELS.open[level.number]
    for held in tuple(level.holders):
        held.at.pop(level.number, None)
    thread.state.levels -= 1
    thread.state.refresh()


def is_enabled() -> bool:
    """Whether forward mode is switched on in this thread."""
    state = thread.state
    return not (state.inference or state.without_tangents)


def carries() -> bool:
    """Whether results get tangents now: a level is open, and forward mode is not switched off."""
    return bool(LEVELS.open) and is_enabled()


def ask(tensor: Any) -> None:
    """Sends operators on this tensor to the general path."""
    if tensor._requires_grad is not ASK:
        tensor._requires_grad, tensor._asked = ASK, bool(tensor._requires_grad)


def bearing(tensor: Any, tangents: Tangents | None) -> Any:
    """The tensor, of the value of one that was saved, with what that one carries."""
    if tangents is not None and tangents.at:
        tensor._tangents = tangents
        ask(tensor)
    return tensor
