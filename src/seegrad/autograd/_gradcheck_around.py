"""What the function does around the worst element: a kink, noise, or steps of the wrong size."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from seegrad.autograd._jacobians import as_tuple
from seegrad.tensor.sampling import default_generator

__all__ = ["around"]

DRAWS = 3  # at one point, to see whether the function is random
STEPS = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8)


def around(
    func: Callable[..., Any],
    arguments: tuple[Any, ...],
    array: Any,
    element: tuple[int, int],
    number: int,
    eps: float,
    analytical: Any,
) -> str:
    """A sentence about one element of the input and of an output, "" where there is none to say.

    Args:
        array: of the input; moved and put back.
        element: places in the flat input and output.
        number: of the output among what `func` returns.
        eps: the step that gradcheck took.
        analytical: what backward gives.
    """
    if array.dtype.kind != "f":
        return ""
    state = default_generator.get_state()
    flat = array.reshape(-1)
    if not np.shares_memory(flat, array):
        return ""
    before = flat[element[0]].copy()

    def whole(step: float = 0.0) -> Any:
        flat[element[0]] = before + step
        try:
            return as_tuple(func(*arguments))[number].detach()._array.reshape(-1).copy()
        finally:
            flat[element[0]] = before

    def value(step: float) -> float:
        return float(whole(step)[element[1]])

    with np.errstate(all="ignore"):
        try:
            noise = changes([whole() for _ in range(DRAWS)])
            if noise:
                return noise
            rounding = float(np.finfo(array.dtype).eps)
            return next(remarks(value, eps, float(analytical), rounding), "")
        except Exception:  # what the function raises near by says nothing here
            return ""
        finally:
            default_generator.set_state(state)


def changes(outputs: list[Any]) -> str:
    """A sentence where outputs at the very same point differ, "" where they are all equal."""
    first = outputs[0]
    for other in outputs[1:]:
        differ = np.flatnonzero((first != other) & ((first == first) | (other == other)))
        if differ.size:
            one, another = first[differ[0]], other[differ[0]]
            return (
                f"The function is not the same twice: at this very point it gives {one:.6g}, then "
                f"{another:.6g}. It is random (dropout?), or keeps a state; gradcheck needs one "
                "that is neither."
            )
    return ""


def remarks(
    value: Callable[[float], float], eps: float, analytical: float, rounding: float
) -> Iterator[str]:
    """The sentences, the surest first."""
    middle = value(0.0)
    right, left = (value(eps) - middle) / eps, (middle - value(-eps)) / eps
    if is_kink(value, middle, eps, rounding):
        yield (
            f"The function has a kink there: its slope is {left:.6g} from below and {right:.6g} "
            "from above. Check it at a point where it is smooth."
        )
        return
    found = {step: (value(step) - value(-step)) / (2 * step) for step in STEPS}
    good = [step for step, slope in found.items() if is_near(slope, analytical)]
    if good:
        shown = ", ".join(f"{slope:.6g} with eps={step:g}" for step, slope in found.items())
        yield (
            f"The differences depend on the step: {shown}. The analytical value is right with "
            f"eps={good[len(good) // 2]:g}."
        )


def is_kink(value: Callable[[float], float], middle: float, eps: float, rounding: float) -> bool:
    """Whether the slopes from both sides differ, and go on differing as steps get smaller."""
    gaps = []
    for step in (eps, eps / 4):
        right, left = (value(step) - middle) / step, (middle - value(-step)) / step
        gaps.append(abs(right - left) / max(abs(right), abs(left), 1e-12))
    noise = 64 * rounding * abs(middle) / eps
    slope = abs(value(eps) - value(-eps)) / (2 * eps)
    # Of a smooth function the gap shrinks with the step, to a quarter.
    return min(gaps) > 0.05 + noise / max(slope, 1e-12) and gaps[1] > 0.6 * gaps[0]


def is_near(slope: float, analytical: float) -> bool:
    return bool(abs(slope - analytical) <= 1e-3 * abs(analytical) + 1e-9)
