"""What a custom Function's backward says, next to what differences of its forward say."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from seegrad.explain.functions.calls import Array, Call, Outcome
from seegrad.explain.quiet import Quiet

__all__ = ["Point", "Rows", "Unfit", "differ", "is_symmetric", "slopes"]

MOST = 24  # elements of an input that are moved
Values = list[Array | None]


class Unfit(Exception):
    """The function cannot be run so; the text says why."""


class Rows(NamedTuple):
    """Slopes at some elements of one input: a row for each, and where there are none."""

    positions: Array
    along: Array  # by the real part
    across: Array | None  # by the imaginary part
    smooth: Array  # whether the slopes from both sides agree

    def times(self, weights: Array) -> Array:
        """The gradient of the weighted sum of outputs, as PyTorch defines it."""
        real: Array = (self.along @ weights.conj()).real
        if self.across is None:
            return real
        return real + 1j * (self.across @ weights.conj()).real


def slopes(function: Callable[[Values], Array], values: Values, place: int, wide: bool) -> Rows:
    """Differences of `function` at elements of the array at `place`, from both sides."""
    array = values[place]
    assert array is not None
    size = array.size
    drawn = np.random.default_rng(0).permutation(size)[:MOST] if size > MOST else np.arange(size)
    middle = function(values)
    blur = (1e-15 if wide else 1e-6) * float(abs(middle).max(initial=0))

    def moved(position: int, step: complex) -> Array:
        copy = array.copy()
        copy.reshape(-1)[position] += step
        return function([*values[:place], copy, *values[place + 1 :]])

    def one(position: int, unit: complex) -> tuple[Array, bool]:
        scale = max(abs(array.reshape(-1)[position]), 0.1)
        step = scale * (1e-5 if wide else 1e-2)
        above, below = moved(position, step * unit), moved(position, -step * unit)
        right, left = (above - middle) / step, (middle - below) / step
        size = abs(right) + abs(left)
        if blur / step > 1e-2 * size.max(initial=0) + (1e-6 if wide else 1e-2):
            return (above - below) / (2 * step), False  # rounding hides the slope
        rough = 2e-2 if wide else 0.3
        floor = 1e-6 if wide else 1e-3
        smooth = bool((abs(right - left) <= rough * size.max(initial=0) + floor).all())
        return (above - below) / (2 * step), smooth

    found = [one(position, 1) for position in drawn]
    along = np.array([row for row, _ in found]).reshape(len(drawn), middle.size)
    smooth = np.array([is_smooth for _, is_smooth in found], bool)
    across = None
    if array.dtype.kind == "c":
        others = [one(position, 1j) for position in drawn]
        across = np.array([row for row, _ in others]).reshape(along.shape)
        smooth &= np.array([is_smooth for _, is_smooth in others], bool)
    finite = np.isfinite(along).all(1) if along.size else np.ones(len(drawn), bool)
    return Rows(drawn, along, across, smooth & finite)


def differ(analytical: Array, numerical: Array, smooth: Array, wide: bool) -> bool:
    """Whether two gradients are plainly not the same, at one element of ten at least."""
    if not smooth.any():
        return False
    a, n = analytical[smooth], numerical[smooth]
    if not np.isfinite(a).all() or not np.isfinite(n).all():
        return False
    rough = 2e-2 if wide else 0.15
    scale = max(abs(n).max(), abs(a).max())
    if scale < (1e-7 if wide else 1e-3):
        return False
    bad = abs(a - n) > rough * np.maximum(abs(a), abs(n)) + 0.1 * rough * scale
    return int(bad.sum()) >= max(1, 0.1 * len(a))


def is_symmetric(array: Any) -> bool:
    """Whether these are symmetric matrices."""
    square = array.ndim >= 2 and array.shape[-1] == array.shape[-2] > 1
    return bool(square and np.allclose(array, np.swapaxes(array, -1, -2)))


class Point:
    """A call at one point: the outputs, their slopes, and what backward gives there."""

    def __init__(self, call: Call, values: Values, quiet: Quiet, wide: bool) -> None:
        self.call = call
        self.values = values
        self.quiet = quiet
        self.wide = wide
        self.outcome = self.run(values)
        if not self.outcome.outs:
            raise Unfit("nothing that it returns requires a gradient")
        self.flat = self.outcome.flat()
        if not np.isfinite(self.flat).all():
            raise Unfit("its values are not finite")
        again = self.run(values).flat()
        if again.shape != self.flat.shape or not np.array_equal(again, self.flat):
            raise Unfit("two runs give different values")
        narrow = any(out._array.dtype.itemsize < 8 for out in self.outcome.outs)
        self.wide = wide and not narrow
        self._rows: dict[int, Rows] = {}

    def run(self, values: Values) -> Outcome:
        """The call with these values, with the same random numbers each time."""
        self.quiet.check()
        self.quiet.rewind()
        return Outcome(self.call, values)

    def rows(self, place: int) -> Rows:
        """The slopes of the outputs along one argument."""
        if place not in self._rows:
            function = lambda values: self.run(values).flat()  # noqa: E731
            self._rows[place] = slopes(function, self.values, place, self.wide)
        return self._rows[place]

    def weights(self, seed: int, size: float = 1.0) -> Array:
        """Gradients of the outputs, drawn."""
        drawn = np.random.default_rng(seed).uniform(0.5, 1.5, self.flat.size)
        drawn *= np.where(np.random.default_rng(seed + 1).random(self.flat.size) < 0.5, -1, 1)
        return size * drawn

    def backward(self, weights: Array, outcome: Outcome | None = None) -> dict[int, Array | None]:
        """What backward gives each argument for these gradients of the outputs."""
        self.quiet.check()
        return (outcome or self.outcome).backward(weights)

    def compared(self, place: int, weights: Array, found: Any = ...) -> tuple[Array, Array, Rows]:
        """Backward's gradient and the differences' at the moved elements of one argument."""
        rows = self.rows(place)
        gradient = self.backward(weights)[place] if found is ... else found
        numerical = rows.times(weights)
        if gradient is None:
            return np.zeros_like(numerical), numerical, rows
        return gradient.reshape(-1)[rows.positions], numerical, rows

    def is_wrong(self, place: int, seeds: Sequence[int] = (0, 2)) -> bool:
        """Whether backward's gradient differs, also for small gradients of the outputs.

        A backward that clips is right for small ones, and means to clip.
        """
        for seed in seeds:
            for size in (1.0, 1e-3):
                weights = self.weights(seed, size)
                analytical, numerical, rows = self.compared(place, weights)
                if not differ(analytical / size, numerical / size, rows.smooth, self.wide):
                    return False
        return not self.is_right_on_symmetric(place)

    def is_right_on_symmetric(self, place: int) -> bool:
        """Whether an argument is a symmetric matrix, and only its symmetric part counts.

        One element moved alone leaves the symmetric matrices, where backward need not be right.
        """
        array: Any = self.values[place]
        if not is_symmetric(array):
            return False
        if array.size > MOST:
            return True
        weights = self.weights(0)
        analytical, numerical, rows = self.compared(place, weights)
        both = [
            g + np.swapaxes(g, -1, -2)
            for g in (analytical.reshape(array.shape), numerical.reshape(array.shape))
        ]
        return not differ(both[0].reshape(-1), both[1].reshape(-1), rows.smooth, self.wide)
