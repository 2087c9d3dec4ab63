"""PyTorch's values, first and second derivatives of the operator database, in float64."""

import warnings
from typing import Any

import numpy as np

from tests.database import entries
from tests.database.run import Outcome, run
from tests.database.spec import Entry, Sample

NAME = "database"


def record(torch: Any) -> dict[str, Any]:
    """What each sample of each entry gives on `torch`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {
            f"{entry.name} #{place}": answer(torch, entry, sample)
            for entry in entries()
            for place, sample in enumerate(entry.samples)
        }


def answer(torch: Any, entry: Entry, sample: Sample) -> dict[str, Any]:
    """The outcome of one call, or the class of its error."""
    try:
        return packed(run(torch, entry, sample, "float64"))
    except Exception as error:
        return {"error": type(error).__name__}


def packed(outcome: Outcome) -> dict[str, Any]:
    """An outcome as JSON: numbers to twelve digits, NaN and infinities as text."""
    return {
        "values": [flat(one) for one in outcome.values],
        "first": [flat(one) for one in outcome.first],
        "second": [flat(one) for one in outcome.second],
    }


def flat(array: Any) -> Any:
    """Shape and elements of an array; None stays."""
    if array is None:
        return None
    return [list(array.shape), [number(one) for one in np.ravel(array).tolist()]]


def number(value: Any) -> Any:
    """A number as JSON has it."""
    if isinstance(value, complex):
        return [number(value.real), number(value.imag)]
    if isinstance(value, bool | int):
        return value
    return float(f"{value:.12g}") + 0.0 if np.isfinite(value) else str(value)


def unpacked(item: Any) -> Any:
    """The array that `flat` packed."""
    if item is None:
        return None
    shape, elements = item
    return np.array([plain(one) for one in elements]).reshape(shape)


def plain(element: Any) -> Any:
    """The number that `number` wrote."""
    if isinstance(element, list):
        return complex(*map(plain, element))
    return float(element) if isinstance(element, str) else element
