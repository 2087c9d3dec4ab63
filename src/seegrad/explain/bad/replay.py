"""What a difference of nearly equal numbers would be in double precision.

Note [Replay]: the last calls of a few curved functions, and of sums with few elements, are kept
with copies of their small arguments, by the number of their `Made`. Where a difference has lost
its digits, it is calculated once more from there in double precision: `1 - cos(x)` at 1e-4 is 0
in float32, and 5e-9. What went in before counts as exact, so `cos(0)` accuses nobody; but where
moving it by a rounding error moves the difference much, nothing is known of it.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from seegrad.explain.record import Made
from seegrad.graph.asked import Entry
from seegrad.graph.state import recording, thread
from seegrad.graph.tensor import TensorBase, wrap

__all__ = ["Lost", "Replay"]

KEPT = 64  # calls
LARGEST = 4096  # elements of an argument
FEW = 256  # elements of a sum's
DEEPEST = 6
ROUNDING = 1e-7  # of float32
STABLE = 0.1  # share of the right value
WRONG = 0.5  # share of the right value
NARROW = frozenset("fe")  # float32, float16


class Lost(NamedTuple):
    """A result that is mostly rounding: what it is, and what it should be, at its worst place."""

    made: Made
    value: float
    truth: float


class Call(NamedTuple):
    """A call and its arguments: of a tensor its number and the values it had."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]


class Operand(NamedTuple):
    """A tensor that was an argument."""

    number: int
    array: Any


class Replay:
    """The last calls that may lose digits, and what they give in double precision."""

    def __init__(self) -> None:
        self.calls: dict[int, Call] = {}

    def __contains__(self, made: Made) -> bool:
        return made.number in self.calls

    def note(self, entry: Entry, args: Any, kwargs: Any, result: Any, most: int = LARGEST) -> None:
        """Keeps a call whose result is in single precision."""
        made = getattr(result, "_made", None)
        if made is None or result._array.size > most or result._array.dtype.char not in NARROW:
            return
        for value in args:
            if isinstance(value, TensorBase) and value._array.size > most:
                return
        self.calls[made.number] = Call(entry.original, tuple(map(kept, args)), kwargs)
        if len(self.calls) > KEPT:
            del self.calls[next(iter(self.calls))]

    def lost(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> Lost | None:
        """How a result differs from the right one, None where most of it is right."""
        call = Call(entry.original, tuple(map(kept, args)), kwargs)
        right, moved = self.again(call, 0.0), self.again(call, ROUNDING)
        made, array = result._made, result._array
        if right is None or moved is None or right.shape != array.shape:
            return None
        with np.errstate(all="ignore"):
            wrong = np.abs(array - right) > WRONG * np.abs(right)
            wrong &= np.abs(moved - right) < STABLE * np.abs(right)
        wrong &= np.isfinite(right) & (right != 0)
        if 2 * wrong.sum() < array.size or made is None:
            return None
        place = int(np.argmax(np.where(wrong, np.abs(right), 0)))
        return Lost(made, float(array.reshape(-1)[place]), float(right.reshape(-1)[place]))

    def again(self, call: Call, moved: float, depth: int = 0) -> Any:
        """A call in double precision, from the values where nobody knows how they were made.

        `moved`: by how much of their size these values are moved.
        """
        state = thread.state
        before, state.heard = state.heard, True
        try:
            with recording(False), np.errstate(all="ignore"):
                args = [self.widened(one, moved, depth) for one in call.args]
                result = call.function(*args, **call.kwargs)
        except Exception:  # it will have its own types only
            return None
        finally:
            state.heard = before
        array = getattr(result, "_array", None)
        return array if array is not None and array.dtype.char == "d" else None

    def widened(self, value: Any, moved: float, depth: int) -> Any:
        """An argument in double precision."""
        if not isinstance(value, Operand):
            return value
        call = self.calls.get(value.number) if depth < DEEPEST else None
        array = None if call is None else self.again(call, moved, depth + 1)
        if array is None:
            array = value.array
            if array.dtype.char in NARROW:
                drawn = np.random.default_rng(abs(value.number)).uniform(-1, 1, array.shape)
                array = array.astype(np.float64) * (1 + moved * drawn)
        return wrap(array)


def kept(value: Any) -> Any:
    """An argument as it is kept: of a tensor a copy."""
    if not isinstance(value, TensorBase):
        return value
    number = -1 if value._made is None else value._made.number
    return Operand(number, value._array.copy())
