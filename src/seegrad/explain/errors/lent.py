"""A detective for writes into gradients that somebody else looks at too.

The engine lends gradients to hooks and to custom backwards, and copies at their first write (Note
[Fresh]): its own numbers stay right. PyTorch hands out the gradient itself, so there the write
reaches whoever has the same gradient still to come: both sides of an addition, a shortcut.
"""

import sys
from collections.abc import Iterable
from functools import partial
from types import FrameType
from typing import Any

import numpy as np

from seegrad.errors import COPY_ON_OVERLAP
from seegrad.explain.errors.hidden import overlap, weighed
from seegrad.explain.places import Place, is_foreign
from seegrad.explain.record import is_write, may_write
from seegrad.explain.report import Finding
from seegrad.explain.session import Detective, Session
from seegrad.graph.accumulate import accumulate
from seegrad.graph.asked import Entry
from seegrad.graph.backward import Pass, conclude, execute
from seegrad.graph.hooks import run_posthooks
from seegrad.graph.node import Node
from seegrad.graph.observed import Listener
from seegrad.graph.state import thread
from seegrad.graph.tensor import TensorBase

__all__ = ["LentGradients"]


LEAVES = (accumulate.__code__, conclude.__code__)


class LentGradients(Detective):
    """Finds in-place writes of hooks and custom backwards that reach a sibling in PyTorch."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.found: dict[Place | None, Finding] = {}

    def listener(self, entry: Entry) -> Listener | None:
        """Hears of writes."""
        if is_write(entry.name) or entry.name == "__setitem__" or may_write(entry):
            return partial(self.wrote, entry.name == "__setitem__")
        return None

    def wrote(self, item: bool, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """A write: whether into memory that was lent, and that somebody else has."""
        tensor = args[0] if item else result
        current = thread.state.current
        if current is None or not isinstance(tensor, TensorBase) or tensor._left is None:
            return
        left, tensor._left = tensor._left, None
        frame = sys._getframe(1)
        if is_waited_for(left, current, frame):
            self.report(tensor, *user_of(frame))

    def failed(self, entry: Entry, args: Any, kwargs: Any, error: BaseException) -> None:
        """A write into a gradient of which all elements are one, as behind a sum."""
        if thread.state.current is None or str(error) != COPY_ON_OVERLAP:
            return
        place, is_backward = user_of(sys._getframe(1))
        kind = "hidden-write-backward" if is_backward else "hidden-write-hook"
        who = "this backward" if is_backward else "this hook"
        says = (
            f"{who} writes in place into its gradient, which others share (behind a sum all its "
            "elements are one): return a new tensor instead"
        )
        self.found.setdefault(place, Finding(kind, says, place, weight=3))

    def report(self, tensor: Any, place: Place | None, is_backward: bool) -> None:
        """Keeps what was found, once for each line."""
        who = "this backward" if is_backward else "this hook"
        kind = "hidden-write-backward" if is_backward else "hidden-write-hook"
        says = (
            f"{who} writes in place into its gradient, which another branch of the graph shares: "
            "in PyTorch that branch gets the changed gradient too. Return a new tensor instead"
        )
        shape = f"the gradient has the shape {list(tensor._array.shape)}"
        evidence = (shape, "seegrad copied it before the write: its own numbers are right")
        self.found.setdefault(place, Finding(kind, says, place, evidence, weight=2))

    def findings(self) -> Iterable[Finding]:
        """The lines that wrote."""
        ended = str(self.session.error) == COPY_ON_OVERLAP
        found = [one for one in self.found.values() if one.weight < 3 or ended]
        return weighed(found, self.session)


def is_waited_for(left: Any, current: Pass, frame: FrameType | None) -> bool:
    """Whether a gradient in the same memory is still on its way to another node."""
    waiting = [*current.buffers.values(), *(one[1] for one in current.pending.values() if one[0])]
    at_leaf = False
    while frame is not None and frame.f_code is not execute.__code__:
        at_leaf = at_leaf or frame.f_code in LEAVES
        if frame.f_code is run_posthooks.__code__:
            # Of several inputs' gradients only one is meant to be written to.
            same = [one for one in frame.f_locals["results"] if shows(one, left)]
            waiting += same[1:]
        frame = frame.f_back
    if frame is not None and at_leaf:
        waiting += still_to_be_handed_on(frame)
    return any(shows(one, left) for one in waiting)


def still_to_be_handed_on(frame: FrameType) -> list[Any]:
    """What the loop has not yet handed on while a leaf is running."""
    names = frame.f_locals
    node, outs, following = names.get("node"), names.get("outs"), names.get("following")
    if node is None or outs is None or following not in node._next:
        return []
    return list(outs[node._next.index(following) + 1 :])


def shows(value: Any, left: Any) -> bool:
    """Whether a gradient, or one of several, shows memory of this array."""
    if isinstance(value, list):
        return any(shows(one, left) for one in value)
    array = value._array if isinstance(value, TensorBase) else value
    return isinstance(array, np.ndarray) and overlap(array, left)


def user_of(frame: FrameType | None) -> tuple[Place | None, bool]:
    """The user's line, and whether it is inside of a custom backward."""
    place, outermost = None, None
    while frame is not None and frame.f_code is not execute.__code__:
        if not is_foreign(frame.f_code.co_filename):
            place = place or Place(frame.f_code, frame.f_lineno)
            outermost = frame
        frame = frame.f_back
    if outermost is None or not outermost.f_code.co_argcount:
        return place, False
    first = outermost.f_locals.get(outermost.f_code.co_varnames[0])
    return place, isinstance(first, Node)
