"""What one thread is doing: recording or not, and a context in which NumPy is quiet.

Note [Two doors]: the hot path of an operator asks two things only. `state.mode` is 0 when nothing
is recorded, 1 when recording, 2 and more when something special is on. An operand whose
`_requires_grad` is ASK is special itself: a view without a node, a dtype that needs care, a
subclass. Either sends the call to the one general path, which is slow and complete; no other line
of the hot path knows that these things exist. What `mode` is while recording says `state.on`: 1,
or 2 while saved-tensor hooks or anomaly mode are on; so whoever switches recording on again says
`state.mode = state.on`. In inference mode `state.on` is 0: whatever is switched on, nothing is
recorded; what the user said of grad mode meanwhile stands in `state.said`.
"""

import contextvars
import threading
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from seegrad.arrays.settings import settings
from seegrad.graph.counters import NEVER, UNTRACKED, Counter

__all__ = [
    "ANOMALY",
    "ASK",
    "ERRORS",
    "IGNORED",
    "INFERRING",
    "Ask",
    "Pair",
    "ThreadState",
    "is_recording",
    "recording",
    "thread",
]


class Ask:
    """The third value of `_requires_grad`: true, and to be asked for what it means."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "ASK"


ASK: Final = Ask()


# A hook that packs a tensor, and one that unpacks what the first returned.
Pair = tuple[Callable[[Any], Any], Callable[[Any], Any]]


class Anomaly:
    """Whether anomaly mode is on, and looks for NaN; for all threads, as in PyTorch."""

    __slots__ = ("check_nan", "enabled")

    def __init__(self) -> None:
        self.enabled = False
        self.check_nan = True


ANOMALY: Final = Anomaly()


class Inferring:
    """How many threads are in inference mode: where none is, nobody asks for a thread's state."""

    __slots__ = ("lock", "threads")

    def __init__(self) -> None:
        self.threads = 0
        self.lock = threading.Lock()


INFERRING: Final = Inferring()


ERRORS, IGNORED = settings()


class ThreadState:
    """One thread's mode and its quiet context."""

    __slots__ = (
        "asked_modes",
        "current",
        "depth",
        "enforcing",
        "fresh",
        "heard",
        "hooks",
        "hooks_refused",
        "inference",
        "levels",
        "mode",
        "multithreading",
        "on",
        "quiet",
        "replaying",
        "running",
        "said",
        "transforms",
        "unasked",
        "without_tangents",
    )

    mode: int
    on: int  # the mode of this thread when it records
    hooks: list[Pair]  # of saved tensors; the last pair counts
    hooks_refused: str | None  # what is said to who would register hooks
    running: Any  # the node that runs, under anomaly mode
    current: Any  # the innermost backward pass (Pass of graph/backward.py)
    depth: int  # how many backward passes run inside of each other
    inference: bool
    levels: int  # how many levels of forward mode this thread opened (Note [Levels])
    without_tangents: bool  # whether forward mode is switched off
    said: bool  # in inference mode: whether grad mode was switched on inside
    fresh: Counter  # what a new tensor begins with (Note [Inference])
    multithreading: bool  # what was last said of it; a pass runs in one thread
    enforcing: bool  # whether a leaf's gradient has to lie in memory as the leaf does
    replaying: bool  # whether views made now are made anew by their own operators
    heard: bool  # whether inside of a call that observers are told of (Note [Observed])
    transforms: tuple[Any, ...]  # those of `torch.func` that are at work, the last one innermost
    unasked: int  # 1: classes of tensors are not asked, 2: modes neither (Note [Asked])
    asked_modes: list[Any]  # the modes that are asked; the last one first
    quiet: Callable[..., Any]

    def __init__(self) -> None:
        self.hooks = []
        self.hooks_refused = None
        self.running = None
        self.current = None
        self.mode = self.on = 2 if ANOMALY.enabled else 1
        self.depth = self.levels = 0
        self.without_tangents = False
        self.inference = self.said = self.replaying = self.heard = False
        self.multithreading = self.enforcing = True
        self.fresh = NEVER
        self.transforms = ()
        self.unasked = 0
        self.asked_modes = []
        # A context in which np.seterr has run costs nothing a call; np.errstate costs 1.3 us.
        context = contextvars.Context()
        context.run(np.seterr, all="ignore")
        self.quiet = context.run

    def refresh(self) -> None:
        """Says anew what mode recording is, after something special went on or off."""
        self.on = 0 if self.inference else 2 if self.special() else 1
        if self.mode:
            self.mode = self.on

    def special(self) -> bool:
        """Whether an operator that records has more to do than its fast line does."""
        return bool(self.hooks or self.levels) or ANOMALY.enabled or self.replaying

    def infer(self, inference: bool, grad: bool) -> None:
        """Switches inference mode, and with it what grad mode says."""
        if inference is not self.inference:
            with INFERRING.lock:
                INFERRING.threads += 1 if inference else -1
        self.inference = inference
        self.fresh = UNTRACKED if inference else NEVER
        self.said = inference and grad
        self.refresh()
        self.mode = self.on if grad else 0

    def maps_samples(self) -> bool:
        """Whether a `vmap` is at work; what else transforms has a name for its entry."""
        return any(one.__class__ is not str for one in self.transforms)

    def grad_mode(self) -> bool:
        """Whether grad mode is on; what is on in inference mode records nothing all the same."""
        return self.mode != 0 or self.said

    def set_grad_mode(self, on: bool) -> None:
        """Switches grad mode, leaving the special modes above it alone."""
        self.said = on and self.inference
        if bool(self.mode) is not on:
            self.mode = self.on if on else 0

    def inherit(self, other: "ThreadState") -> None:
        """Goes on as another thread, which waits for this one."""
        self.hooks = list(other.hooks)
        self.hooks_refused = other.hooks_refused
        self.inference = other.inference
        self.said = other.said
        self.fresh = other.fresh
        self.multithreading = other.multithreading
        self.enforcing = other.enforcing
        self.replaying = other.replaying
        self.running = other.running
        self.transforms = other.transforms
        self.levels = other.levels
        self.without_tangents = other.without_tangents
        self.current = other.current
        self.on = other.on
        self.mode = self.on if other.mode else 0


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
        state = thread.state
        self.before = state.mode
        state.mode = state.on if self.on else 0

    def __exit__(self, *_: object) -> None:
        state = thread.state
        state.mode = state.on if self.before else 0
