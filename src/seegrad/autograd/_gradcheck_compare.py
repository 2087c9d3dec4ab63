"""Gradcheck's comparison of the two Jacobians, in slow and in fast mode."""

from functools import partial
from typing import Any

import numpy as np

from seegrad.autograd import _gradcheck_texts as texts
from seegrad.autograd._gradcheck_around import around
from seegrad.autograd._gradcheck_case import Case, GradcheckError, Part
from seegrad.autograd._gradcheck_forward import compare_forward
from seegrad.autograd._gradcheck_notes import Failure, explain
from seegrad.autograd._jacobians import (
    Array,
    backward,
    directional,
    dot,
    draw_directions,
    jacobian_by_backward,
    jacobian_by_differences,
)
from seegrad.errors import noted
from seegrad.graph.tensor import wrap

__all__ = ["compare"]


def compare(case: Case) -> None:
    """Raises GradcheckError where the Jacobians of the case differ."""
    if case.options.check_forward_ad and not case.is_constant:
        compare_forward(case)
    check = _check_fast if case.options.fast_mode else _check_slow
    for part in case.parts():
        if case.is_constant:
            _check_constant(part)
        elif case.options.check_backward_ad:
            check(part)


def _check_constant(part: Part) -> None:
    for numerical in _numerical(part):
        if any(jacobian.any() for jacobian in numerical):
            raise GradcheckError(texts.NOT_CONSTANT)


def _numerical(part: Part) -> list[list[Array]]:
    """Jacobians by differences, by input and by output of the part."""
    case = part.case
    return [
        jacobian_by_differences(part.func, case.arguments, input, case.options.eps)
        for input in case.inputs
    ]


def _check_slow(part: Part) -> None:
    numerical = _numerical(part)
    for index, output in enumerate(part.outputs()):
        analytical = _reentrant_jacobian(part, output)
        for place in range(len(part.case.inputs)):
            a, n = analytical[place], numerical[place][index]
            _check_sizes(part.numbers[index], a, n)
            if not _close(a, n, part.case.options.atol, part.case.options.rtol):
                raise _mismatch(part, place, part.numbers[index], a, n)


def _check_sizes(number: int, analytical: Array, numerical: Array) -> None:
    if analytical.shape != numerical.shape:
        raise RuntimeError(
            f"gradcheck needs a function that returns the same shapes every time it is called: "
            f"output {number} has {analytical.shape[1]} elements in one run and "
            f"{numerical.shape[1]} in another."
        )


def _reentrant_jacobian(part: Part, output: Any) -> list[Array]:
    """Jacobians by backward for each input, computed twice and found equal."""
    case = part.case
    first = jacobian_by_backward(output, case.inputs)
    again = jacobian_by_backward(output, case.inputs)
    for one, other in zip(first, again, strict=True):
        _check_reentrant(one, other, case.options.nondet_tol)
    return first


def _check_reentrant(one: Array, other: Array, tolerance: float) -> None:
    with np.errstate(all="ignore"):
        if (abs(one - other) > tolerance).any():
            raise GradcheckError(texts.NOT_REENTRANT.format(tolerance))


def _close(analytical: Any, numerical: Any, atol: float, rtol: float) -> bool:
    wide = np.complex128
    return bool(np.allclose(np.asarray(analytical, wide), np.asarray(numerical, wide), rtol, atol))


def _message(part: Part, place: int, number: int, analytical: Any, numerical: Any) -> str:
    return texts.MISMATCH.format(part.prefix(number), number, place, numerical, analytical)


def _failure(part: Part, place: int, number: int, analytical: Array, numerical: Array) -> Failure:
    case = part.case
    return Failure(
        analytical,
        numerical,
        case.inputs[place],
        case.outputs[number],
        (place, number),
        (case.input_places[place], case.output_places[number]),
        case.options.atol,
        case.options.rtol,
        partial(_around, part, place, number),
    )


def _around(part: Part, place: int, number: int, element: tuple[int, int], analytical: Any) -> str:
    case = part.case
    array, index = case.inputs[place]._array, part.numbers.index(number)
    return around(part.func, case.arguments, array, element, index, case.options.eps, analytical)


def _mismatch(
    part: Part, place: int, number: int, analytical: Array, numerical: Array
) -> GradcheckError:
    text = _message(part, place, number, wrap(analytical), wrap(numerical))
    return noted(
        GradcheckError(text), explain(_failure(part, place, number, analytical, numerical))
    )


def _check_fast(part: Part) -> None:
    case, outputs = part.case, part.outputs()
    directions = draw_directions(case.inputs, case.outputs)
    weights = [directions.outputs[number] for number in part.numbers]
    numerical = [
        directional(part.func, case.arguments, i, u, weights, case.options.eps)
        for i, u in zip(case.inputs, directions.inputs, strict=True)
    ]
    analytical = [_reentrant_products(part, o, v) for o, v in zip(outputs, weights, strict=True)]
    for place, along in enumerate(directions.inputs):
        for index, number in enumerate(part.numbers):
            a, n = _project(analytical[index][place], along), numerical[place][index]
            atol = case.options.atol * directions.weight(place, number)
            if not _close(a, n, atol, case.options.rtol):
                raise _fast_mismatch(part, place, index, a, n)


def _fast_mismatch(part: Part, place: int, index: int, a: Any, n: Any) -> GradcheckError:
    """The numbers of fast mode, and under them both Jacobians computed as slow mode does."""
    case, number = part.case, part.numbers[index]
    numerical = jacobian_by_differences(
        part.func, case.arguments, case.inputs[place], case.options.eps
    )[index]
    analytical = _reentrant_jacobian(part, part.outputs()[index])[place]
    with np.errstate(all="ignore"):
        furthest = float(abs(analytical - numerical).max())
    text = _message(part, place, number, a, n)
    text += texts.FAST_THEN_SLOW.format(wrap(numerical), wrap(analytical), furthest)
    if _close(analytical, numerical, case.options.atol, case.options.rtol):
        return GradcheckError(text + texts.FAST_BUT_SMALL)
    return noted(
        GradcheckError(text), explain(_failure(part, place, number, analytical, numerical))
    )


def _reentrant_products(part: Part, output: Any, direction: Array) -> list[Any]:
    """The gradients of each input with `direction` as the output's, computed twice, equal."""
    case = part.case
    weights = direction.reshape(output._array.shape).astype(output._array.dtype)
    first = backward([output], case.inputs, [wrap(weights)])
    again = backward([output], case.inputs, [wrap(weights.copy())])
    for one, other in zip(first, again, strict=True):
        if one is not None and other is not None:
            _check_reentrant(one._array, other._array, case.options.nondet_tol)
    return [None if grad is None else grad._array for grad in first]


def _project(gradient: Array | None, along: tuple[Array, ...]) -> Any:
    """u J v of one input, where `gradient` is J v."""
    if gradient is None:
        return 0.0 if len(along) == 1 else 0j
    if len(along) == 1:
        return dot(along[0], gradient)
    return complex(dot(along[0], gradient.real), dot(along[1], gradient.imag))
