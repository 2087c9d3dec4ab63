"""The line search of `LBFGS`: a step that satisfies the strong Wolfe conditions.

The method is that of Nocedal and Wright, Numerical Optimization, algorithms 3.5 and 3.6, with
cubic interpolation: first a bracket is found that holds such a step, then it is narrowed.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from seegrad.tensor.tensor import Tensor

__all__ = ["Point", "strong_wolfe"]

# A step must lower the loss by this share of what the slope at the start promises ...
_DECREASE = 1e-4
# ... and flatten the slope to this share of its size.
_CURVATURE = 0.9
_MOST_TRIES = 25
# A bracket in which no parameter would move further than this is not narrowed.
_NARROW = 1e-9


class Point(NamedTuple):
    """A place on the line: how far, the loss, the gradient, and its slope along the line."""

    step: Any
    loss: float
    grad: Tensor
    slope: Any


Evaluate = Callable[[Any], Point]


def strong_wolfe(
    evaluate: Evaluate, start: Point, step: Any, reach: Any, left: int
) -> tuple[Point, int]:
    """A point that lowers the loss enough and is flat enough, and the number of evaluations.

    `reach` is the largest element of the direction. After `left` evaluations besides the first,
    25 at most, the best end of the bracket is returned.
    """
    search = _Search(evaluate, start, left)
    bracket = search.bracket(step)
    point = search.zoom(bracket, reach) if isinstance(bracket, list) else bracket
    return point, search.evaluations


class _Search:
    """One search: where it starts, and what it did so far."""

    def __init__(self, evaluate: Evaluate, start: Point, left: int) -> None:
        self.evaluate = evaluate
        self.start = start
        self.most = 1 + max(0, min(_MOST_TRIES, left))
        self.evaluations = 0

    def look(self, step: Any) -> Point:
        self.evaluations += 1
        return self.evaluate(step)

    def is_high(self, point: Point) -> bool:
        """Whether the loss is above what the slope at the start promises (NaN is not)."""
        start = self.start
        return bool(point.loss > start.loss + _DECREASE * point.step * start.slope)

    def is_flat(self, point: Point) -> bool:
        return bool(abs(point.slope) <= -_CURVATURE * self.start.slope)

    def bracket(self, step: Any) -> list[Point] | Point:
        """Two points with a good one between them, or a good one that was found at once."""
        before, point = self.start, self.look(step)
        while self.evaluations < self.most:
            is_higher = self.evaluations > 2 and point.loss >= before.loss
            if self.is_high(point) or is_higher:
                return [before, point]
            if self.is_flat(point):
                return point
            if point.slope >= 0:
                return [before, point]
            nearest = point.step + 0.01 * (point.step - before.step)
            further = _lowest(before, point, nearest, point.step * 10)
            before, point = point, self.look(further)
        return [self.start, point]

    def zoom(self, bracket: list[Point], reach: Any) -> Point:
        """The better end of a bracket, after narrowing it."""
        low, high = _ordered(*bracket)
        is_stuck = False
        while self.evaluations < self.most:
            if abs(high.step - low.step) * reach < _NARROW:
                break
            step, is_stuck = _within(low, high, is_stuck)
            point = self.look(step)
            if self.is_high(point) or point.loss >= low.loss:
                low, high = _ordered(low, point)
                continue
            if self.is_flat(point):
                return point
            if point.slope * (high.step - low.step) >= 0:
                high = low
            low = point
        return low


def _ordered(first: Point, second: Point) -> tuple[Point, Point]:
    """The end with the lower loss, and the other."""
    return (first, second) if first.loss <= second.loss else (second, first)


def _within(one: Point, other: Point, is_stuck: bool) -> tuple[Any, bool]:
    """The next step between two points, and whether it is near to one of them.

    Near is within a tenth of the way: twice running, or beyond an end, it is moved there.
    """
    lowest, highest = min(one.step, other.step), max(one.step, other.step)
    step = _lowest(one, other, lowest, highest)
    margin = 0.1 * (highest - lowest)
    if min(highest - step, step - lowest) >= margin:
        return step, False
    if not (is_stuck or step >= highest or step <= lowest):
        return step, True
    is_near_highest = abs(step - highest) < abs(step - lowest)
    return (highest - margin if is_near_highest else lowest + margin), False


def _lowest(one: Point, other: Point, lowest: Any, highest: Any) -> Any:
    """Where the cubic through two points with their slopes is least, within bounds."""
    left, right = (one, other) if one.step <= other.step else (other, one)
    rise = one.slope + other.slope - 3 * (one.loss - other.loss) / (one.step - other.step)
    square = rise**2 - one.slope * other.slope
    if not square >= 0:
        return (lowest + highest) / 2.0
    root = square.sqrt() if isinstance(square, Tensor) else math.sqrt(square)
    share = (right.slope + root - rise) / (right.slope - left.slope + 2 * root)
    return min(max(right.step - (right.step - left.step) * share, lowest), highest)
