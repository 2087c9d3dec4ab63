"""Gradcheck in forward mode: tangents along the inputs' elements beside finite differences.

A complex input counts as two real ones, first the imaginary part, then the real one; outputs stay
as they are.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from seegrad.autograd import _gradcheck_texts as texts
from seegrad.autograd import forward_ad
from seegrad.autograd._gradcheck_case import Case, GradcheckError
from seegrad.autograd._jacobians import Array, as_tuple, differences, draw_real_directions
from seegrad.graph.tensor import wrap

__all__ = ["check_undefined_tangents", "compare_forward"]


def compare_forward(case: Case) -> None:
    """Raises GradcheckError where tangents are not what differences are."""
    check = _check_fast if case.options.fast_mode else _check_slow
    if any(map(_is_complex, case.inputs)):
        check(case, 1j)
    check(case, 1)


def _check_slow(case: Case, unit: complex) -> None:
    for place, input in enumerate(case.inputs):
        if unit == 1 or _is_complex(input):
            numerical, analytical = _jacobians(case, place, unit)
            for number, (a, n) in enumerate(zip(analytical, numerical, strict=True)):
                if not _close(a, n, case.options.atol, case.options.rtol):
                    raise GradcheckError(_message(case, unit, place, number, a, n))


def _jacobians(case: Case, place: int, unit: complex) -> tuple[list[Array], list[Array]]:
    """By output, the Jacobian by differences and the one by tangents: a row for each element."""
    array = case.inputs[place]._array
    numerical, analytical = [], []
    for where in np.ndindex(array.shape):
        step = case.options.eps * unit
        found = differences(case.func, case.arguments, array, where, step, case.options.eps)
        numerical.append([found[number].reshape(-1) for number in case.output_places])
        direction = np.zeros_like(array)
        direction[where] = unit
        rows = _tangents(case, {**_still(case), place: direction})
        analytical.append([row.reshape(-1) for row in rows])
    return _stacked(case, numerical), _stacked(case, analytical)


def _stacked(case: Case, rows: list[list[Array]]) -> list[Array]:
    if not rows:
        return [np.zeros((0, output._array.size)) for output in case.outputs]
    return [np.stack(columns) for columns in zip(*rows, strict=True)]


def _still(case: Case) -> dict[int, Array]:
    """The direction in which no input moves."""
    return {place: np.zeros_like(input._array) for place, input in enumerate(case.inputs)}


def _tangents(case: Case, directions: dict[int, Array]) -> list[Array]:
    """The tangents of the outputs where these inputs move in these directions."""
    with forward_ad.dual_level():
        arguments = list(case.arguments)
        for place, direction in directions.items():
            moved = forward_ad.make_dual(case.inputs[place], wrap(direction))
            arguments[case.input_places[place]] = moved
        outputs = as_tuple(case.func(*arguments))
        return [_tangent(outputs[number]) for number in case.output_places]


def _tangent(output: Any) -> Array:
    found = forward_ad.unpack_dual(output).tangent
    made: Array = np.zeros_like(output._array) if found is None else found._array.copy()
    return made


def _check_fast(case: Case, unit: complex) -> None:
    for place, (input, along) in enumerate(
        zip(case.inputs, draw_real_directions(case.inputs), strict=True)
    ):
        if unit != 1 and not _is_complex(input):
            continue
        direction = (along.reshape(input._array.shape) * unit).astype(input._array.dtype)
        step, eps = direction * case.options.eps, case.options.eps
        found = differences(case.func, case.arguments, input._array, ..., step, eps)
        analytical = _tangents(case, {**_still(case), place: direction})
        atol = case.options.atol * float(along.sum())
        for number, a in enumerate(analytical):
            n = found[case.output_places[number]]
            if not _close(a, n, atol, case.options.rtol):
                raise _fast_mismatch(case, unit, place, number, (a, n))


def _fast_mismatch(
    case: Case, unit: complex, place: int, number: int, seen: tuple[Array, Array]
) -> GradcheckError:
    """The numbers of fast mode, and under them both Jacobians computed as slow mode does."""
    numerical, analytical = (found[number] for found in _jacobians(case, place, unit))
    with np.errstate(all="ignore"):
        furthest = float(abs(analytical - numerical).max())
    flat = seen[0].reshape(-1), seen[1].reshape(-1)
    text = _message(case, unit, place, number, *flat)
    text += texts.FAST_THEN_SLOW.format(wrap(numerical), wrap(analytical), furthest)
    close = _close(analytical, numerical, case.options.atol, case.options.rtol)
    return GradcheckError(text + texts.FAST_BUT_SMALL if close else text)


def _close(analytical: Array, numerical: Array, atol: float, rtol: float) -> bool:
    return bool(np.allclose(analytical, numerical, rtol, atol))


def _message(case: Case, unit: complex, place: int, number: int, a: Array, n: Array) -> str:
    which = "real" if unit == 1 else "imaginary"
    parts = texts.OF_COMPLEX_INPUTS.format(which) if _is_complex(case.inputs[place]) else ""
    return texts.FORWARD_MISMATCH.format(parts, number, place, wrap(n), wrap(a))


def check_undefined_tangents(case: Case) -> None:
    """An input without a tangent is one whose tangent is zero."""
    for place, without in _one_missing(case):
        zeros = {place: np.zeros_like(case.inputs[place]._array)}
        pairs = zip(_tangents(case, without | zeros), _tangents(case, without), strict=True)
        for number, (found, wanted) in enumerate(pairs):
            if not _close(found, wanted, case.options.atol, case.options.rtol):
                parts = texts.UNDEFINED_TANGENT
                shown = (parts[0], number, parts[1], case.inputs[place], parts[2])
                text = (*shown, parts[3], wrap(found), parts[4], wrap(wanted))
                raise GradcheckError(str(text))


def _one_missing(case: Case) -> Iterator[tuple[int, dict[int, Array]]]:
    """One input after the other, with directions for all others."""
    if len(case.inputs) > 1:
        whole = {
            place: along.reshape(input._array.shape).astype(input._array.dtype)
            for place, (input, along) in enumerate(
                zip(case.inputs, draw_real_directions(case.inputs), strict=True)
            )
        }
        for place in whole:
            yield place, {other: d for other, d in whole.items() if other != place}


def _is_complex(tensor: Any) -> bool:
    return bool(tensor._array.dtype.kind == "c")
