"""Running a user's function once more without leaving a trace: what it prints, draws and keeps."""

import contextlib
import inspect
import io
import random
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from types import FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from seegrad.graph.backward import Pass
from seegrad.graph.observed import Observer, unheard
from seegrad.graph.state import recording
from seegrad.graph.tensor import TensorBase
from seegrad.tensor.sampling import default_generator

__all__ = ["OutOfTime", "Quiet", "outer_names", "rewritten", "streams"]

_CONTAINERS = (list, dict, set, deque)
LARGEST = 100_000  # elements of an array that is copied


class OutOfTime(Exception):
    """Enough was tried."""


class Leaves(Observer):
    """Remembers the gradients of the leaves that passes reach, which are the user's."""

    def __init__(self) -> None:
        self.found: dict[int, tuple[Any, Any, Any]] = {}

    def began(self, current: Pass) -> bool:
        """Notes what the leaves of a pass have."""
        for node in current.leaves():
            leaf: Any = node.variable  # type: ignore[attr-defined]
            if id(leaf) not in self.found:
                grad = leaf._grad
                kept = None if grad is None else grad._array.copy()
                self.found[id(leaf)] = (leaf, grad, kept)
        return False

    def restore(self) -> None:
        """Gives the leaves their gradients back."""
        for leaf, grad, kept in self.found.values():
            leaf._grad = grad
            if grad is not None and not np.array_equal(grad._array, kept, equal_nan=True):
                grad._array = kept


class Quiet:
    """A context in which `functions` are run by a tool: afterwards all is as it was.

    The streams of random numbers, what the functions read and write outside of themselves, and
    gradients of leaves are put back; what is printed is dropped; nobody hears. `check()` raises
    OutOfTime after `seconds`.
    """

    def __init__(self, functions: Iterable[Any], seconds: float = 60.0) -> None:
        self.functions = list(functions)
        self.seconds = seconds

    def __enter__(self) -> "Quiet":
        self.until = time.monotonic() + self.seconds
        self.streams = default_generator.get_state(), np.random.get_state(), random.getstate()
        self.leaves = Leaves()
        self.undo = [step for function in self.functions for step in kept(function)]
        self.stack = contextlib.ExitStack()
        enter = self.stack.enter_context
        enter(contextlib.redirect_stdout(io.StringIO()))
        enter(contextlib.redirect_stderr(io.StringIO()))
        enter(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        enter(np.errstate(all="ignore"))
        enter(unheard(self.leaves))
        enter(recording(True))
        return self

    def __exit__(self, *_: object) -> None:
        self.stack.close()
        self.leaves.restore()
        self.rewind()
        for step in reversed(self.undo):
            step()

    def rewind(self) -> None:
        """Has random numbers come again as they came first."""
        default_generator.set_state(self.streams[0])
        np.random.set_state(self.streams[1])
        random.setstate(self.streams[2])

    def check(self) -> None:
        """Raises OutOfTime where the time is up."""
        if time.monotonic() > self.until:
            raise OutOfTime


def streams() -> tuple[Any, ...]:
    """What tells whether random numbers were drawn since."""
    drawn: Any = np.random.get_state()
    state: Any = default_generator.get_state()
    return state._array.tobytes(), drawn[1].tobytes(), drawn[2:], random.getstate()


def outer_names(function: Any) -> dict[str, Any]:
    """What a function, and those defined inside it, find under names that are not local."""
    function = inspect.unwrap(function) if callable(function) else function
    function = getattr(function, "__func__", function)
    if not isinstance(function, FunctionType):
        return {}
    codes = [function.__code__]
    for code in codes:
        codes += [one for one in code.co_consts if hasattr(one, "co_names")]
    names = {name for code in codes for name in code.co_names}
    found = {name: function.__globals__[name] for name in names if name in function.__globals__}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        with contextlib.suppress(ValueError):  # nothing is in it yet
            found[name] = cell.cell_contents
    return found


def kept(function: Any) -> Iterator[Callable[[], Any]]:
    """Steps that put back what a function may change outside of itself."""
    for name, value in outer_names(function).items():
        yield from as_it_was(value)
        scope = getattr(inspect.unwrap(function), "__globals__", {})
        if name in scope and scope[name] is value:
            yield partial(scope.__setitem__, name, value)


def as_it_was(value: Any, depth: int = 0) -> Iterator[Callable[[], Any]]:
    """Steps that put one value back, and what hangs on it."""
    if isinstance(value, _CONTAINERS):
        if len(value) <= LARGEST:
            yield refill(value)
    elif isinstance(value, TensorBase):
        if value._array.size <= LARGEST:
            yield rewritten(value)
    elif isinstance(value, (ModuleType, FunctionType, MethodType)) or depth > 1:
        return
    elif isinstance(getattr(value, "__dict__", None), dict) or isinstance(value, type):
        module = getattr(value, "__module__", "") or ""
        if isinstance(value, type) and module.partition(".")[0] in ("seegrad", "torch", "numpy"):
            return
        before = dict(vars(value))
        yield lambda: put_back(value, before)
        for one in list(before.values()):
            if isinstance(one, (*_CONTAINERS, TensorBase)):
                yield from as_it_was(one, depth + 1)


def refill(container: Any) -> Callable[[], Any]:
    """A step that gives a container the items it has now."""
    before = container.copy()

    def step() -> None:
        container.clear()
        (container.update if isinstance(container, (dict, set)) else container.extend)(before)

    return step


def rewritten(tensor: Any) -> Callable[[], Any]:
    """A step that gives a tensor the values it has now."""
    array, before, node = tensor._array, tensor._array.copy(), tensor._node

    def step() -> None:
        tensor._array, tensor._node = array, node
        if array.flags.writeable and not np.array_equal(array, before):
            array[...] = before

    return step


def put_back(owner: Any, before: dict[str, Any]) -> None:
    """Gives a class or an object the attributes it had."""
    now = dict(vars(owner))
    for name in now.keys() - before.keys():
        with contextlib.suppress(AttributeError, TypeError):
            delattr(owner, name)
    for name, value in before.items():
        if now.get(name, before) is not value:
            with contextlib.suppress(AttributeError, TypeError):
                setattr(owner, name, value)
