"""The note that gradcheck adds to its error: which element is worst, and what the numbers tell."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from seegrad.autograd._jacobians import Array

__all__ = ["Failure", "explain"]

# How remarks begin that put the differences in doubt.
UNSURE = ("The function is not the same twice", "The differences depend on the step")
LOCATE = "seegrad.explain.locate(fn, inputs) looks for the part of fn whose derivative is wrong."

# A ratio is told apart from its neighbours by more than the differences' own error.
_SAME = 1e-3


@dataclass(frozen=True)
class Failure:
    """Two Jacobians that differ, and whose they are."""

    analytical: Array
    numerical: Array
    input: Any
    output: Any
    numbers: tuple[int, int]  # of input and output among those that are differentiable
    places: tuple[int, int]  # of input and output among all arguments and results
    atol: float
    rtol: float
    # What the function does around an element (row, column) of the Jacobian, in words.
    around: Callable[[tuple[int, int], Any], str]


def explain(failure: Failure) -> str:
    """The worst element in words, and a hint where there is one."""
    wide = np.result_type(failure.numerical.dtype, failure.analytical.dtype, np.float64)
    analytical, numerical = failure.analytical.astype(wide), failure.numerical.astype(wide)
    with np.errstate(all="ignore"):
        excess = _excess(analytical, numerical, failure)
        place = _place(excess)
        lines = [_worst(failure, analytical, numerical, excess)]
        remark = failure.around(place, analytical[place].item())
        # What the differences themselves do wrong says nothing of backward.
        hints = (_precision if remark.startswith(UNSURE) else _hints)(
            failure, analytical, numerical
        )
        lines += [remark] if remark else []
        lines += [f"Hint: {hint}" for hint in _first(hints)]
        if not remark:
            lines.append(LOCATE)
    return "\n".join(lines)


def _excess(analytical: Array, numerical: Array, failure: Failure) -> Array:
    """By how much each element misses the bound; infinite where there is no number."""
    bound = failure.atol + failure.rtol * abs(numerical)
    excess = abs(analytical - numerical) - bound
    return np.where(np.isnan(excess), np.inf, excess)


def _place(excess: Array) -> tuple[int, int]:
    """The worst element. Equally bad ones differ by rounding only: the first of them."""
    worst = int((excess >= excess.max() * (1 - 1e-6)).argmax())
    row, column = np.unravel_index(worst, excess.shape)
    return int(row), int(column)


def _worst(failure: Failure, analytical: Array, numerical: Array, excess: Array) -> str:
    row, column = _place(excess)
    a, n = analytical[row, column].item(), numerical[row, column].item()
    element_in = _element(row, failure.input._array.shape)
    element_out = _element(column, failure.output._array.shape)
    wrong = int((excess > 0).sum())
    return (
        f"{wrong} of {excess.size} elements of the Jacobian differ. The worst: "
        f"output {failure.numbers[1]}{element_out}{_counted(failure, 1, 'returned value')} "
        f"with respect to input {failure.numbers[0]}{element_in}"
        f"{_counted(failure, 0, 'argument')}: analytical {a:.6g}, numerical {n:.6g}{_ratio(a, n)}."
    )


def _element(position: Any, shape: tuple[int, ...]) -> str:
    """Where an element is, as one writes it: [0, 3]; nothing for a tensor of one element."""
    return str([int(i) for i in np.unravel_index(position, shape)]) if shape else ""


def _counted(failure: Failure, which: int, name: str) -> str:
    """Says which of all arguments (or results) is meant where the count skips some."""
    number, place = failure.numbers[which], failure.places[which]
    return "" if number == place else f" ({name} {place})"


def _ratio(analytical: Any, numerical: Any) -> str:
    if numerical == 0 or not np.isfinite(analytical) or not np.isfinite(numerical):
        return ""
    return f", ratio {analytical / numerical + 0.0:.6g}"


def _first(hints: Iterator[str]) -> list[str]:
    return [hint for hint in [next(hints, None)] if hint]


def _hints(failure: Failure, analytical: Array, numerical: Array) -> Iterator[str]:
    """What the numbers tell, the surest first."""
    if not np.isfinite(analytical).all() or not np.isfinite(numerical).all():
        yield (
            "there are infinities or nans; check the function at a point where its value and its "
            "derivative are finite."
        )
        return
    if not analytical.any():
        yield (
            "every analytical gradient is zero. Backward returned None or zeros, or the graph is "
            "cut: detach, .data, no_grad, or, in a second derivative, a backward that uses a "
            "value computed in forward that is neither input nor output. (Or the function has a "
            "kink at this very point.)"
        )
        return
    yield from _precision(failure, analytical, numerical)
    yield from _factor(failure, analytical, numerical)
    yield from _conjugate(failure, analytical, numerical)
    yield from _arrangement(failure, analytical, numerical)
    yield from _coupling(analytical, numerical)


def _factor(failure: Failure, analytical: Array, numerical: Array) -> Iterator[str]:
    """One ratio between all elements."""
    place = np.unravel_index(int(abs(numerical).argmax()), numerical.shape)
    if not numerical[place]:
        return
    ratio = analytical[place] / numerical[place]
    if not _alike(failure, analytical, ratio * numerical):
        return
    sign = "the sign is wrong: analytical is -1 times numerical everywhere."
    if abs(ratio + 1) < _SAME:
        yield sign
        return
    shown = ratio.real if abs(np.imag(ratio)) < _SAME else ratio
    yield f"analytical is {shown:.6g} times numerical everywhere{_meaning(failure, ratio)}."


def _conjugate(failure: Failure, analytical: Array, numerical: Array) -> Iterator[str]:
    """A holomorphic rule without its conj; in the imaginary part this also turns the sign."""
    turned = numerical.conj()
    if np.iscomplexobj(numerical):
        if _alike(failure, analytical, turned) or _alike(failure, analytical, -turned):
            yield "analytical is the conjugate of numerical: a conj() is missing in backward."


def _meaning(failure: Failure, ratio: Any) -> str:
    if abs(ratio - 2) < _SAME:
        return ": something is counted twice, or a factor 1/2 is missing in backward"
    if abs(ratio - 0.5) < _SAME:
        return ": one of two contributions, or a factor 2, is missing in backward"
    count = failure.input._array.size
    sizes = sorted({count, *failure.input._array.shape} - {0, 1, 2}, reverse=True)
    for size in sizes:
        if abs(ratio - size) < _SAME * size:
            return (
                f", and {size} elements are there: a mean over them divides its gradient by {size}"
            )
        if abs(ratio * size - 1) < _SAME:
            return (
                f" (1/{size}), and {size} elements are there: a sum over them divides by nothing"
            )
    return ": a constant factor is wrong or missing in backward"


def _arrangement(failure: Failure, analytical: Array, numerical: Array) -> Iterator[str]:
    """The right numbers in the wrong places."""
    rows, columns = numerical.shape
    if rows == columns and _alike(failure, analytical, numerical.T):
        yield (
            "analytical is the transpose of numerical: backward multiplies by a matrix where its "
            "transpose is due."
        )
        return
    shape = failure.input._array.shape
    if len(shape) == 2 and shape[0] == shape[1]:
        turned = numerical.reshape(*shape, columns).swapaxes(0, 1).reshape(rows, columns)
        if _alike(failure, analytical, turned):
            yield "the gradient comes transposed: its [i, j] is what [j, i] of the input needs."


def _coupling(analytical: Array, numerical: Array) -> Iterator[str]:
    """One Jacobian couples each output with its own input element only, the other does not."""
    rows, columns = numerical.shape
    if rows != columns or rows == 1:
        return
    small = 1e-6 * max(abs(numerical).max(), abs(analytical).max())
    here, there = _is_diagonal(analytical, small), _is_diagonal(numerical, small)
    if here and not there:
        yield (
            "every output depends on several inputs, but backward sends each gradient to its own "
            "element only: a reduction (sum) over the other elements is missing in backward."
        )
    elif there and not here:
        yield (
            "every output depends on its own input only, but backward mixes elements: it sums or "
            "broadcasts where it should multiply grad_output element by element."
        )


def _is_diagonal(matrix: Array, small: float) -> bool:
    return bool((abs(matrix - np.diag(np.diag(matrix))) <= small).all())


def _precision(failure: Failure, analytical: Array, numerical: Array) -> Iterator[str]:
    rough = abs(analytical - numerical).max() < 0.1 * abs(analytical).max()
    if rough and failure.numerical.dtype not in (np.float64, np.complex128):
        yield (
            f"the differences were taken in {failure.numerical.dtype.name}, where they are mostly "
            "rounding: pass float64 (complex128) inputs."
        )


def _alike(failure: Failure, one: Array, other: Array) -> bool:
    return bool(np.allclose(one, other, failure.rtol, max(failure.atol, 1e-12)))
