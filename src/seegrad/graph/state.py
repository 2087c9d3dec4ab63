"""What one thread is doing: recording or not, and a context in which NumPy is quiet.

Note [Two doors]: the hot path of an operator asks two things only. `state.mode` is 0 when nothing
is recorded, 1 when recording, 2 and more when something special is on. An operand whose
`_requires_grad` is ASK is special itself: a view without a node, a dtype that needs care, a
subclass. Either sends the call to the one general path, which is slow and complete; no other line
of the hot path knows that these things exist.
"""

import contextvars
import threading
from collections.abc import Callable
from typing import Any, Final

import numpy as np

__all__ = ["ASK", "Ask", "ThreadState", "is_recording", "recording", "thread"]


class Ask:
    """The third value of `_requires_grad`: true, and to be asked for what it means."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "ASK"


ASK: Final = Ask()


class ThreadState:
    """One thread's mode and its quiet context."""

    __slots__ = ("depth", "inference", "mode", "quiet")

    mode: int
    depth: int  # how many backward passes run inside of each other
    inference: bool
    quiet: Callable[..., Any]

    def __init__(self) -> None:
        self.mode = 1
        self.depth = 0
        self.inference = False
        # A context in which np.seterr has run costs nothing a call; np.errstate costs 1.3 us.
        context = contextvars.Context()
        context.run(np.seterr, all="ignore")
        self.quiet = context.run


class _Thread(threading.local):
    def __init__(self) -> None:
        self.state = ThreadState()


thread = _Thread()


def is_recording() -> bool:
    """Whether operators called now by this thread record."""
    return thread.state.mode != 0


class recording:
    """Switches recording on or off for a `with` block of the engine itself."""

    __slots__ = ("before", "on")

    def __init__(self, on: bool) -> None:
        self.on = on

    def __enter__(self) -> None:
        self.before = thread.state.mode
        thread.state.mode = int(self.on)

    def __exit__(self, *_: object) -> None:
        thread.state.mode = self.before
