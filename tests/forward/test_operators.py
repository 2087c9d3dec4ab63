"""Forward mode of every operator: against finite differences, PyTorch, and two reverse passes."""

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import seegrad
from tests.database import entries
from tests.database.run import all_close, arguments, cotangent, numpy, outputs
from tests.database.spec import Entry, Sample

ALL = [entry for entry in entries() if entry.first and entry.name != "unpack_dual"]
SMOOTH = [entry for entry in ALL if entry.gradcheck]

# PyTorch's formula of forward mode is not the derivative that its reverse mode has: it reads a
# triangle that the operator does not read, knows a constant in float32 only, says something else
# at a NaN, a tie or a kink, subtracts infinities from each other, or keeps a random number only.
ELSE = {
    "triangular_solve", "cholesky_inverse", "celu", "celu_", "hardsigmoid", "hardsigmoid at kinks",
    "maximum, ties and NaN", "minimum, ties and NaN", "fmax, ties and NaN", "max, ties and NaN",
    "min, ties and NaN", "median, ties and NaN", "atan2 at the origin",
    "scatter_reduce of products",
}  # fmt: skip


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def small(entry: Entry) -> list[Sample]:
    """The first samples that have elements."""
    return [s for s in entry.samples if all(map(filled, s.args))][:3]


def filled(value: Any) -> bool:
    """Whether an argument has elements, or each of a list of arrays."""
    return all(map(filled, value)) if isinstance(value, list) else bool(np.size(value))


def called(torch: Any, entry: Entry, sample: Sample, dtype: str, change: Any) -> list[Any]:
    """The differentiable results of an entry whose leaves `change` made other tensors of."""
    args, kwargs, leaves = arguments(torch, sample, dtype)
    given = {id(leaf): change(leaf, place) for place, leaf in enumerate(leaves)}

    def swapped(value: Any) -> Any:
        if isinstance(value, list):
            return [swapped(one) for one in value]
        return given.get(id(value), value)

    named = {name: swapped(one) for name, one in kwargs.items()}
    torch.manual_seed(0)
    found = outputs(torch, entry.call(torch, *map(swapped, args), **named))
    return [one for one in found if one.is_floating_point() or one.is_complex()]


def duals(torch: Any, entry: Entry, sample: Sample, dtype: str, recorded: bool) -> list[Any]:
    """The results with their tangents."""
    fw = torch.autograd.forward_ad

    def dual(leaf: Any, place: int) -> Any:
        return fw.make_dual(leaf if recorded else leaf.detach(), cotangent(torch, leaf, place + 5))

    with fw.dual_level():
        return [fw.unpack_dual(one) for one in called(torch, entry, sample, dtype, dual)]


def tangents(torch: Any, entry: Entry, sample: Sample, dtype: str, recorded: bool) -> list[Any]:
    """The tangents of the results, zeros where there is none."""
    return [
        numpy(part.primal) * 0 if part.tangent is None else numpy(part.tangent)
        for part in duals(torch, entry, sample, dtype, recorded)
    ]


def differences(entry: Entry, sample: Sample, dtype: str) -> list[Any]:
    """The same by central differences."""
    step = 1e-6
    found = [
        [
            numpy(one)
            for one in called(
                seegrad,
                entry,
                sample,
                dtype,
                lambda leaf, place: leaf.detach() + cotangent(seegrad, leaf, place + 5) * size,
            )
        ]
        for size in (step, -step)
    ]
    return [(plus - minus) / (2 * step) for plus, minus in zip(*found, strict=True)]


@pytest.mark.parametrize("entry", SMOOTH, ids=lambda entry: entry.name)
def test_finite_differences(entry: Entry) -> None:
    for sample in small(entry)[:2]:
        for dtype in ("float64", "complex128") if entry.complex else ("float64",):
            try:
                found = duals(seegrad, entry, sample, dtype, recorded=True)
            except RuntimeError as error:
                assert "is not implemented" in str(error)
                continue
            wanted = differences(entry, sample, dtype)
            for one, other in zip(found, wanted, strict=True):
                if one.primal.requires_grad:
                    np.testing.assert_allclose(numpy(one.tangent), other, 1e-5, 1e-6)


@pytest.mark.oracle
@pytest.mark.parametrize("entry", ALL, ids=lambda entry: entry.name)
def test_beside_pytorch(entry: Entry) -> None:
    torch = pytest.importorskip("torch")
    for sample in small(entry):
        for dtype in ("float64", "complex128") if entry.complex else ("float64",):
            try:
                wanted = tangents(torch, entry, sample, dtype, recorded=False)
            except (RuntimeError, ValueError, IndexError):  # of PyTorch's formula, or of the call
                continue
            if entry.name in ELSE:
                continue
            for recorded in (False, True):
                found = tangents(seegrad, entry, sample, dtype, recorded)
                assert all_close(found, wanted, dtype, factor=entry.tolerance)
