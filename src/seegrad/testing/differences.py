"""How far two numbers or two arrays are apart, in PyTorch's words."""

import math
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np

from seegrad.arrays.dtypes import from_numpy
from seegrad.arrays.promotion import promote_types

__all__ = ["Tolerances", "numbers_differ", "tensors_differ", "tolerances"]

Array = np.ndarray[Any, Any]

_DEFAULTS: dict[Any, tuple[float, float]] = {
    np.dtype(np.float16): (1e-3, 1e-5),
    np.dtype(ml_dtypes.bfloat16): (1.6e-2, 1e-5),
    np.dtype(np.float32): (1.3e-6, 1e-5),
    np.dtype(np.float64): (1e-7, 1e-7),
    np.dtype(np.complex64): (1.3e-6, 1e-5),
    np.dtype(np.complex128): (1e-7, 1e-7),
    float: (1e-7, 1e-7),
    complex: (1e-7, 1e-7),
}


class Tolerances(NamedTuple):
    """How far two values may be apart: atol + rtol * |expected|."""

    rtol: float
    atol: float
    equal_nan: bool


def tolerances(*kinds: Any) -> tuple[float, float]:
    """The default rtol and atol of dtypes or number types: the larger ones, 0 for integers."""
    found = [_DEFAULTS.get(kind, (0, 0)) for kind in kinds]
    return max(rtol for rtol, _ in found), max(atol for _, atol in found)


def numbers_differ(actual: Any, expected: Any, allowed: Tolerances) -> str | None:
    """Two Python numbers in words; None where they are close."""
    if _are_close(np.asarray(actual), np.asarray(expected), allowed).all():
        return None
    absolute = abs(actual - expected)
    relative = absolute / abs(expected) if expected != 0 else math.inf
    kind, up_to = _words(allowed)
    return (
        f"Scalars are not {kind}!\n\nExpected {expected} but got {actual}.\n"
        f"Absolute difference: {absolute}{up_to[0]}\nRelative difference: {relative}{up_to[1]}"
    )


def tensors_differ(actual: Array, expected: Array, allowed: Tolerances) -> str | None:
    """Two arrays of one shape in words; None where they are close."""
    wide = promote_types(from_numpy(actual.dtype), from_numpy(expected.dtype)).numpy
    actual, expected = actual.astype(wide), expected.astype(wide)
    close = _are_close(actual, expected, allowed)
    if close.all():
        return None
    if not actual.shape:
        return numbers_differ(actual.item(), expected.item(), allowed)
    wrong, total = int((~close).sum()), close.size
    absolute, relative = _distances(actual, expected, close)
    kind, up_to = _words(allowed)
    return (
        f"Tensor-likes are not {kind}!\n\n"
        f"Mismatched elements: {wrong} / {total} ({wrong / total:.1%})\n"
        f"Greatest absolute difference: {_greatest(absolute)}{up_to[0]}\n"
        f"Greatest relative difference: {_greatest(relative)}{up_to[1]}"
    )


def _are_close(actual: Array, expected: Array, allowed: Tolerances) -> Array:
    kind = np.complex128 if "c" in (actual.dtype.kind, expected.dtype.kind) else np.float64
    with np.errstate(all="ignore"):
        a, e = actual.astype(kind), expected.astype(kind)
        distance = abs(a - e)
        near = np.isfinite(distance) & (distance <= allowed.atol + allowed.rtol * abs(e))
        nans = np.isnan(a) & np.isnan(e) if allowed.equal_nan else False
        exact = allowed.rtol == allowed.atol == 0
        equal = actual == expected
        return np.asarray(equal | nans if exact else equal | near | nans)


def _distances(actual: Array, expected: Array, close: Array) -> tuple[Array, Array]:
    """Absolute and relative differences, 0 where the elements are close."""
    if actual.dtype.kind in "biu":
        actual, expected = actual.astype(np.int64), expected.astype(np.int64)
    with np.errstate(all="ignore"):
        absolute = abs(actual - expected)
        whole = absolute.dtype.kind == "i"
        over = abs(expected)
        # Integers divide to the default dtype, as tensors do.
        relative = (absolute / over).astype(np.float32) if whole else absolute / over
    return np.where(close, 0, absolute), np.where(close, np.zeros((), relative.dtype), relative)


def _greatest(distances: Array) -> str:
    flat = int(np.argmax(distances))
    index = tuple(int(i) for i in np.unravel_index(flat, distances.shape))
    return f"{distances[index].item()} at index {index}"


def _words(allowed: Tolerances) -> tuple[str, tuple[str, str]]:
    if allowed.rtol == allowed.atol == 0:
        return "equal", ("", "")
    return "close", (f" (up to {allowed.atol} allowed)", f" (up to {allowed.rtol} allowed)")
