"""What a difference of nearly equal numbers would be with more digits.

Note [Replay]: the last calls of functions of small tensors are kept with copies of their
arguments, by the number of their `Made`. Where a difference has lost digits, it is calculated
once more from there in double precision, or in long double where it was double: `1 - cos(x)` at
1e-4 is 0 in float32, and 5e-9. What went in before counts as exact, so `cos(0)` accuses nobody;
but where moving it by a rounding error moves the difference much, nothing is known of it: so it
is with what two ways of calculating the same thing differ by.
"""

from collections import Counter
from typing import Any, NamedTuple

import numpy as np

from seegrad.explain.bad.longer import LONGER, is_longer
from seegrad.explain.bad.values import plain_name
from seegrad.explain.record import Made, made_of, provenance
from seegrad.graph.asked import Entry
from seegrad.graph.state import recording, thread
from seegrad.graph.tensor import TensorBase, wrap

__all__ = ["Lost", "Replay"]

KEPT = 512  # calls
LARGEST = 4096  # elements of an argument
FEW = 256  # elements of a sum's
DEEPEST = 100
ROUNDING = {"d": 2e-16, "f": 1e-7, "e": 1e-7}  # of what went in
STABLE = 0.1  # share of the right value
WRONG = 0.5  # share of the right value
DOUBTFUL = 0.05  # what matters only to who compares
NARROW = frozenset("fe")  # float32, float16
LARGE = 2.0**20  # numbers above have steps of 0.1 in float32
SHORT = 8  # characters of a number that somebody wrote
REPEATED = 5  # calls of one line: something that goes on until nothing changes any more
ASKED = 8  # times that a line is asked for


class Lost(NamedTuple):
    """A result that is mostly rounding: what it is, and what it should be, at its worst place."""

    made: Made
    value: float
    truth: float
    double: bool  # whether it is in double precision
    mostly: bool  # or only some of it
    repeated: bool  # whether it was made by a line that ran often, as a last step is


class Call(NamedTuple):
    """A call and its arguments: of a tensor its number and the values it had."""

    entry: Entry
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    kind: str  # of the result: "f", "d"
    spot: Any


class Operand(NamedTuple):
    """A tensor that was an argument."""

    number: int
    array: Any


class Replay:
    """The last calls that may lose digits, and what they give with more digits."""

    def __init__(self) -> None:
        self.calls: dict[int, Call] = {}
        self.asked: dict[Any, int] = {}
        self.exact: dict[int, Any] = {}  # numbers that a tensor was made of, and cannot hold

    def __contains__(self, made: Made) -> bool:
        return made.number in self.calls or made.number in self.exact

    def note(self, entry: Entry, args: Any, kwargs: Any, result: Any, most: int = LARGEST) -> None:
        """Keeps a call whose result is floating."""
        made = provenance(result)
        if made is None or result._array.size > most or result._array.dtype.char not in ROUNDING:
            return
        for value in args:
            if isinstance(value, TensorBase) and value._array.size > most:
                return
        self.calls[made.number] = called(entry, args, kwargs, result)
        if len(self.calls) > KEPT:
            del self.calls[next(iter(self.calls))]

    def note_data(self, args: Any, result: Any) -> None:
        """Keeps the numbers that a tensor was made of, where it holds large ones only nearly."""
        array, made = result._array, made_of(result)
        if array.dtype.char == "f" and 0 < array.size <= FEW and np.abs(array).max() > LARGE:
            try:
                exact = np.asarray(args[0], dtype=np.float64)
            except (TypeError, ValueError):
                return
            if exact.shape == array.shape and (exact != array).any():
                self.exact[made.number] = exact

    def is_tired(self, call: Any) -> bool:
        """Whether a call of the program was asked for often enough; counts."""
        times = self.asked[call] = self.asked.get(call, 0) + 1
        return times > ASKED

    def lost(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> Lost | None:
        """How a result differs from the right one, None where most of it is right."""
        made, array = result._made, result._array
        call = called(entry, args, kwargs, result)
        runs = [Again(self, call.kind, moved) for moved in (0, 1, 2)]
        found = [run.result(call) for run in runs]
        if any(one is None or one.shape != array.shape for one in found):
            return None
        right, *others = found
        with np.errstate(all="ignore"):
            size = np.abs(right)
            error = np.abs(array - right)
            known = np.isfinite(right) & (right != 0)
            for moved in others:
                known &= np.abs(moved - right) < STABLE * np.minimum(size, error)
        wrong = known & (error > WRONG * size)
        mostly = 2 * int(wrong.sum()) >= array.size
        wrong = wrong if mostly else known & (error > DOUBTFUL * size)
        if not wrong.any():
            return None
        place = int(np.argmax(np.where(wrong, size, 0)))
        value, truth = float(array.reshape(-1)[place]), float(right.reshape(-1)[place])
        again = max(runs[0].lines.values(), default=0) >= REPEATED
        return Lost(made, value, truth, call.kind == "d", mostly, again)


class Again:
    """Calls once more with more digits, from the values where nobody knows how they were made.

    `moved`: 0, or which way these values are moved by a rounding error.
    """

    def __init__(self, replay: Replay, kind: str, moved: int) -> None:
        self.calls, self.exact = replay.calls, replay.exact
        self.longer = kind == "d"
        self.moved = moved
        self.found: dict[int, Any] = {}
        self.lines: Counter[Any] = Counter()

    def result(self, call: Call, depth: int = 0) -> Any:
        """What a call gives, None where it cannot be made so."""
        self.lines[call.spot, call.entry.name] += 1
        state = thread.state
        before, state.heard = state.heard, True
        try:
            with recording(False), np.errstate(all="ignore"):
                if self.longer:
                    return self.in_long_double(call, depth)
                args = [wrapped(self.widened(one, depth)) for one in call.args]
                result = call.entry.original(*args, **call.kwargs)
        except Exception:  # it will have its own types only
            return None
        finally:
            state.heard = before
        array = getattr(result, "_array", None)
        return array if array is not None and array.dtype.char == "d" else None

    def in_long_double(self, call: Call, depth: int) -> Any:
        """As `result`, by a function of arrays."""
        function = LONGER.get(plain_name(call.entry.name)) if is_longer() else None
        if function is None:
            return None
        args = [self.widened(one, depth) for one in call.args]
        if call.entry.name in REVERSED:
            args.reverse()
        result = np.asarray(function(*args, **call.kwargs))
        return result if result.dtype == np.longdouble else None

    def widened(self, value: Any, depth: int) -> Any:
        """An argument with more digits; numbers as they are."""
        if isinstance(value, float):
            return self.number(value)
        if not isinstance(value, Operand):
            return value
        if value.number not in self.found:
            call = self.calls.get(value.number) if depth < DEEPEST else None
            array = None if call is None else self.result(call, depth + 1)
            self.found[value.number] = self.given(value) if array is None else array
        return self.found[value.number]

    def number(self, value: float) -> Any:
        """A number: exact where it is short, as those that people write are."""
        wide = np.longdouble(value) if self.longer else value
        if not self.moved or len(repr(value)) <= SHORT:
            return wide
        return wide * (1 + ROUNDING["d" if self.longer else "f"] * (-1) ** self.moved)

    def given(self, value: Operand) -> Any:
        """The values of a tensor, moved."""
        exact = self.exact.get(value.number)
        if exact is not None:
            return exact
        array = value.array
        rounding = ROUNDING.get(array.dtype.char)
        if rounding is None:
            return array
        wide = array.astype(np.longdouble if self.longer else np.float64)
        if not self.moved:
            return wide
        drawn = np.random.default_rng((abs(value.number), self.moved))
        signs = drawn.choice([-1, 1], array.shape)
        return np.asarray(wide * (1 + rounding * signs * drawn.uniform(0.5, 1, array.shape)))


# The number comes first in these: `1 - x` is x.__rsub__(1).
REVERSED = frozenset(["__rsub__", "rsub", "__rtruediv__", "__rdiv__", "__rpow__", "__rmatmul__"])


def called(entry: Entry, args: Any, kwargs: Any, result: Any) -> Call:
    """A call as it is kept."""
    kind, spot = result._array.dtype.char, result._made.spot
    return Call(entry, tuple(map(kept, args)), kwargs, kind, spot)


def wrapped(value: Any) -> Any:
    """An array as a tensor."""
    return wrap(value) if isinstance(value, np.ndarray) else value


def kept(value: Any) -> Any:
    """An argument as it is kept: of a tensor a copy."""
    if not isinstance(value, TensorBase):
        return value
    return Operand(made_of(value).number, value._array.copy())
