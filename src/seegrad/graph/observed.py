"""What tools see of the graph: public calls as they return, and the steps of backward passes.

Note [Observed]: who wants to see derives from `Observer` and is entered by `observe`. While nobody
observes, nothing of this runs: public functions are armed (Note [Asked]) by the first observer,
and a backward pass asks once whether there is one. An observer is told of the outermost public
call only, not of those that the library makes by itself; in calls that run the user's code
(`backward`, `Function.apply`) the user's own calls are told too. What an observer raises reaches
the user, as a breakpoint's quit should, unless one in `FORGIVING` takes it for a mistake of the
tool. What an observer itself calls is told to nobody while it is told of a call; elsewhere it
works on arrays, or sets `thread.state.heard`.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from seegrad.graph.asked import QUIET, Entry, answer_of, listen
from seegrad.graph.state import thread

if TYPE_CHECKING:
    from seegrad.graph.backward import Pass
    from seegrad.graph.node import Node

__all__ = [
    "FORGIVING",
    "OBSERVERS",
    "Listener",
    "Observer",
    "began",
    "ended",
    "ignore",
    "observe",
    "observed",
    "unheard",
]

# Is told of a call that returned: entry, arguments, keyword arguments, result.
Listener = Callable[[Entry, Any, Any, Any], None]


class Observer:
    """Is told what happens; does nothing with it."""

    def listener(self, entry: Entry) -> Listener | None:
        """Who is told of calls of one public function; asked once for each.

        An operator written with a symbol goes by its name ("mul"), an attribute by
        "grad.__get__", "grad.__set__" and the like.
        """
        return None

    def failed(self, entry: Entry, args: Any, kwargs: Any, error: BaseException) -> None:
        """A public function raised `error`, which goes on to the user."""

    def began(self, current: "Pass") -> bool:
        """A backward pass is about to run; whether to be told of its steps."""
        return False

    def before(self, node: "Node", grad: Any, current: "Pass") -> None:
        """A node is about to run on `grad` (a list where it has several outputs).

        Arrays, Tensors under `create_graph`, None where undefined. At a leaf's AccumulateGrad
        `grad` is the list `[missing, sum, fresh]`, whose second item arrives.
        """

    def after(self, node: "Node", grad: Any, outs: Any, current: "Pass") -> None:
        """A node has run and returned `outs`, one gradient an input; None at a leaf."""

    def ended(self, current: "Pass") -> None:
        """A backward pass is over, or was ended by an error."""


OBSERVERS: list[Observer] = []
FORGIVING: list[Callable[[Exception], bool]] = []  # each says whether the program goes on


def forgiven(error: Exception) -> bool:
    """Whether the program goes on after an observer raised this."""
    return any(forgive(error) for forgive in FORGIVING)


class _Telling:
    """A context in which what observers raise may be forgiven."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: BaseException | None, traceback: Any) -> bool:
        return isinstance(error, Exception) and forgiven(error)


telling = _Telling()

# Where the user's own code runs: what that calls is told too.
OPEN = frozenset(
    [
        "backward",
        "grad",
        "apply",
        "Optimizer.step",
        "Module.__call__",
        "gradcheck",
        "gradgradcheck",
    ]
)


def observe(observer: Observer) -> None:
    """Has an observer told from now on, in all threads."""
    OBSERVERS.append(observer)
    listen(hear)


def ignore(observer: Observer) -> None:
    """Ends what `observe` began."""
    OBSERVERS.remove(observer)
    listen(hear if OBSERVERS else None)


@contextmanager
def unheard(*observers: Observer) -> Iterator[None]:
    """What a tool runs by itself is told to `observers` only."""
    before, heard = OBSERVERS.copy(), thread.state.heard
    OBSERVERS[:] = []
    thread.state.heard = False
    for observer in observers:
        observe(observer)
    try:
        yield
    finally:
        OBSERVERS[:] = before
        thread.state.heard = heard
        if before or observers:
            listen(hear if before else None)


def hear(entry: Entry, args: Any, kwargs: Any) -> Any:
    """Calls a public function and tells of it."""
    state = thread.state
    outermost = not state.heard
    if outermost:
        state.heard = entry.name not in OPEN
    try:
        if not kwargs and QUIET.issuperset(map(type, args)):
            result = entry.original(*args)
        else:
            result = answer_of(entry, args, kwargs)
    except BaseException as error:
        if outermost:
            state.heard = True  # what observers call is told to nobody
            tell_failure(entry, args, kwargs, error)
        raise
    finally:
        if outermost:
            state.heard = False
    if outermost:
        state.heard = True
        try:
            for listener in entry.tell or listeners(entry):
                listener(entry, args, kwargs, result)
        except Exception as error:  # not `telling`: a `with` takes as long as a listener
            if not forgiven(error):
                raise
        finally:
            state.heard = False
    return result


def listeners(entry: Entry) -> tuple[Listener, ...]:
    """Who is told of calls of a function."""
    found = tuple([listener for o in OBSERVERS if (listener := o.listener(entry)) is not None])
    entry.tell = found or (nobody,)
    return entry.tell


def nobody(entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
    """Where no observer wants to hear."""


def tell_failure(entry: Entry, args: Any, kwargs: Any, error: BaseException) -> None:
    """Tells of an error of a public function."""
    for observer in tuple(OBSERVERS):
        with telling:
            observer.failed(entry, args, kwargs, error)


def began(current: "Pass") -> None:
    """Tells that a pass begins."""
    wanting = []
    for observer in tuple(OBSERVERS):
        with telling:
            if observer.began(current):
                wanting.append(observer)
    current.observers = tuple(wanting)


def ended(current: "Pass") -> None:
    """Tells that a pass is over."""
    for observer in tuple(OBSERVERS):
        with telling:
            observer.ended(current)


def observed(step: Callable[..., Any], node: "Node", grad: Any, current: "Pass") -> Any:
    """Runs one step of a pass and tells of it."""
    with telling:
        for observer in current.observers:
            observer.before(node, grad, current)
    outs = step(node, grad, current)
    with telling:
        for observer in current.observers:
            observer.after(node, grad, outs, current)
    return outs
