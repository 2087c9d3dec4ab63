"""What happens to operands under autocast.

Note [Autocast]: while some thread is inside of an autocast block, the functions of the lists are
looked at; at other times nothing is. An operator's function finds `thread` and `general` in its
own globals (`SCOPES`): these two are exchanged, so that every call takes the general path (Note
[Two doors]), which casts the operands and calls the operator again with autocast off. A function
made of several operators gets a `__code__` that does the same. When the last block ends, all is
as it was.
"""

import functools
import threading
from types import FunctionType
from typing import Any

from seegrad.amp._lists import ALONE, LOW, LOW_OPERATORS, WIDE, WIDE_OPERATORS
from seegrad.arrays.dtypes import dtype, float32, float64
from seegrad.graph.asked import armed_code, copy_of, places
from seegrad.graph.casts import CASTS, FAST, Casts
from seegrad.graph.recorded import recorded
from seegrad.graph.state import thread
from seegrad.graph.tensor import TensorBase, requires
from seegrad.graph.views import history
from seegrad.operators.general import general
from seegrad.operators.register import SCOPES

__all__ = ["CASTS", "FAST", "Casts", "begin", "end"]


class _Users:
    """How many threads and blocks want the functions to be looked at."""

    lock = threading.RLock()
    count = 0


_codes: list[tuple[Any, Any]] = []  # functions, and the code that they have at other times


def begin() -> None:
    """Has the functions looked at from now on."""
    with _Users.lock:
        _Users.count += 1
        if _Users.count == 1:
            _exchange(_DOOR, _general)
            for function, armed in _armed():
                _codes.append((function, function.__code__))
                function.__code__ = armed


def end() -> None:
    """Ends what `begin` began."""
    with _Users.lock:
        _Users.count -= 1
        if _Users.count == 0:
            _exchange(thread, general)
            for function, code in _codes:
                function.__code__ = code
            _codes.clear()


class _Special:
    """A state that sends every call to the general path."""

    mode = 2


class _Door:
    """What the operators take for the thread's state."""

    @property
    def state(self) -> Any:
        """The thread's own, except under autocast."""
        return _Special if CASTS.active else thread.state


_DOOR = _Door()


def _exchange(door: Any, path: Any) -> None:
    """Has the operators of the lists call these."""
    for name in (*LOW_OPERATORS, *WIDE_OPERATORS):
        for scope in SCOPES[name]:
            scope["thread"], scope["general"] = door, path


def _general(operator: Any, *args: Any) -> Any:
    """As `general`, for an operator of the lists."""
    if not CASTS.active:
        return general(operator, *args)
    function = getattr(recorded, operator.name)
    return cast_first("low" if operator.name in LOW_OPERATORS else "wide", function, args, {})


def cast_first(how: str, function: Any, args: Any, kwargs: Any) -> Any:
    """Calls a function with its operands cast, autocast off inside."""
    if not CASTS.active:
        return function(*args, **kwargs)
    wanted = CASTS.fast() if how == "low" else float32 if how == "wide" else None
    CASTS.off += 1
    try:
        args = tuple([_cast(value, wanted) for value in args])
        return function(*args, **{name: _cast(value, wanted) for name, value in kwargs.items()})
    finally:
        CASTS.off -= 1


def _cast(value: Any, wanted: dtype | None) -> Any:
    """A floating tensor in another type; float64 and what is no tensor stay."""
    if isinstance(value, (list, tuple)) and type(value) in (list, tuple):
        return type(value)([_cast(each, wanted) for each in value])
    if not isinstance(value, TensorBase) or not value.dtype.is_floating_point:
        return value
    if wanted is None or value.dtype in (wanted, float64):
        return value
    if wanted is float32 or not _may_be_cached(value):
        return recorded.to_copy(value, wanted)
    found = CASTS.cached.get(id(value))
    version = value._counter.value
    if found is None or found[0] is not value or found[1] != version or (
        found[2].dtype is not wanted
    ):  # fmt: skip
        found = CASTS.cached[id(value)] = (value, version, recorded.to_copy(value, wanted))
    return found[2]


def _may_be_cached(value: Any) -> bool:
    """Whether a cast is kept to the end of the outermost block: that of a parameter."""
    leaf = requires(value) and value._view is None and history(value) is None
    return leaf and CASTS.caching and thread.state.mode != 0 and value.dtype is float32


@functools.cache
def _armed() -> list[tuple[FunctionType, Any]]:
    """The functions that are made of several operators, with the code that casts first."""
    from seegrad import fft, linalg, nn, ops

    modules = [ops, ops.cells, ops.undocumented, fft, linalg, nn.functional]
    namespaces = [vars(module) for module in modules]
    namespaces += [n if isinstance(n, dict) else dict(vars(n)) for _, n, _ in places()]
    found: dict[int, tuple[FunctionType, Any]] = {}
    for names, how in ((LOW, "low"), (WIDE, "wide"), (ALONE, "alone")):
        functions = [_innermost(space.get(name)) for name in names for space in namespaces]
        for function in functions:
            if function is not None and id(function) not in found:
                found[id(function)] = function, _code(function, how)
    return list(found.values())


def _innermost(function: Any) -> Any:
    """What runs when a public function is called; None for what is an operator of the table."""
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    if not isinstance(function, FunctionType) or "OPERATOR" in function.__globals__:
        return None
    return function


def _code(function: FunctionType, how: str) -> Any:
    """Code for a function that casts, then calls the function as it was."""
    constants = {"ORIGINAL": copy_of(function), "CAST": functools.partial(cast_first, how)}
    code = armed_code("casting", function.__code__.co_freevars)
    return code.replace(
        co_consts=tuple(constants.get(c, c) for c in code.co_consts), co_name=function.__name__
    )
