"""The operator database without PyTorch: recorded answers, finite differences, in-place twins."""

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import seegrad
from seegrad.rules.spec import REGISTRY
from tests.database import entries
from tests.database.run import all_close, arguments, cotangent, numpy, outputs, run
from tests.database.spec import Entry, Sample
from tests.record import recorded
from tests.recorders.database import unpacked

ALL = entries()
SMOOTH = [entry for entry in ALL if entry.first and entry.gradcheck]


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def chosen(condition: list[Entry]) -> Any:
    """A parametrisation by entries."""
    return pytest.mark.parametrize("entry", condition, ids=lambda entry: entry.name)


@pytest.fixture(scope="module")
def answers() -> dict[str, Any]:
    return recorded("database")


def test_names_are_unique() -> None:
    names = [entry.name for entry in ALL]
    assert sorted(names) == sorted(set(names))


# Numbers drawn from the generator, and derivatives of these, which no difference of two calls
# shows: the recorder `randoms` and `tests/arrays/test_implicit.py` vouch for them.
DRAWN = {
    "binomial", "dirichlet", "dirichlet_grad", "poisson", "sample_dirichlet", "standard_gamma",
    "standard_gamma_grad",
}  # fmt: skip


def test_every_operator_is_in_the_database() -> None:
    named = {name for entry in ALL for name in entry.operators.split()}
    assert set(REGISTRY) - named == DRAWN


def test_the_database_names_operators_that_exist() -> None:
    named = {name for entry in ALL for name in entry.operators.split()}
    assert sorted(named - set(REGISTRY)) == []


@chosen(ALL)
def test_recorded_answers(entry: Entry, answers: dict[str, Any]) -> None:
    for place, sample in enumerate(entry.samples):
        wanted = answers[f"{entry.name} #{place}"]
        if "error" in wanted:
            with pytest.raises(Exception) as caught:
                run(seegrad, entry, sample, "float64")
            assert type(caught.value).__name__ == wanted["error"]
            continue
        found = run(seegrad, entry, sample, "float64")
        for part in ("values", "first", "second"):
            expected = [unpacked(item) for item in wanted[part]]
            if part == "second" and not expected:
                continue
            assert all_close(getattr(found, part), expected, "float64", factor=entry.tolerance)


def small(entry: Entry) -> list[Sample]:
    """The first samples that have elements."""
    return [s for s in entry.samples if all(map(filled, s.args))][:4]


def filled(value: Any) -> bool:
    """Whether an argument has elements, or each of a list of arrays."""
    return all(map(filled, value)) if isinstance(value, list) else bool(np.size(value))


def function_of(entry: Entry, sample: Sample, dtype: str) -> tuple[Any, list[Any]]:
    """The entry as a function of its leaves alone."""
    args, kwargs, leaves = arguments(seegrad, sample, dtype)

    def call(*values: Any) -> Any:
        given = {id(leaf): value for leaf, value in zip(leaves, values, strict=True)}
        swap = [swapped(one, given) for one in args]
        named = {name: swapped(one, given) for name, one in kwargs.items()}
        results = outputs(seegrad, entry.call(seegrad, *swap, **named))
        return tuple(one for one in results if one.requires_grad)

    return call, leaves


def swapped(value: Any, given: dict[int, Any]) -> Any:
    """A value, or what stands for it now."""
    if isinstance(value, list):
        return [swapped(one, given) for one in value]
    return given.get(id(value), value)


@chosen(SMOOTH)
def test_finite_differences(entry: Entry) -> None:
    for sample in small(entry):
        for dtype in ("float64", "complex128") if entry.complex else ("float64",):
            call, leaves = function_of(entry, sample, dtype)
            if call(*leaves):
                assert seegrad.autograd.gradcheck(call, leaves)


@chosen([entry for entry in SMOOTH if entry.second])
def test_finite_differences_of_gradients(entry: Entry) -> None:
    for sample in small(entry)[:2]:
        call, leaves = function_of(entry, sample, "float64")
        if call(*leaves):
            assert seegrad.autograd.gradgradcheck(call, leaves)


@chosen([entry for entry in ALL if entry.first])
def test_gradients_are_linear(entry: Entry) -> None:
    """`rule(2 g + h) = 2 rule(g) + rule(h)`."""
    for sample in entry.samples:
        call, leaves = function_of(entry, sample, "float64")
        roots = call(*leaves)
        if not roots:
            continue
        seeds = [[cotangent(seegrad, root, seed) for root in roots] for seed in (1, 2)]
        both = [g * 2 + h for g, h in zip(*seeds, strict=True)]
        of_g, of_h, of_both = (gradients(roots, leaves, seed) for seed in (*seeds, both))
        for g, h, found in zip(of_g, of_h, of_both, strict=True):
            assert (found is None) == (g is None)
            if g is not None:
                wanted = 2 * g + h
                finite = np.isfinite(wanted)
                np.testing.assert_allclose(found[finite], wanted[finite], 1e-9, 1e-12)


def gradients(roots: Any, leaves: list[Any], seeds: list[Any]) -> list[Any]:
    """First derivatives as arrays."""
    found = seegrad.autograd.grad(roots, leaves, seeds, retain_graph=True, allow_unused=True)
    return [numpy(one) for one in found]


@chosen([entry for entry in ALL if entry.inplace])
def test_in_place(entry: Entry) -> None:
    """The twin gives the same values and gradients, and counts one write."""
    assert entry.inplace
    for sample in entry.samples:
        args, kwargs, leaves = arguments(seegrad, sample, "float64")
        if not hasattr(args[0], "clone"):
            continue
        wanted = entry.call(seegrad, *args, **kwargs)
        target = args[0].clone()
        if wanted.shape != target.shape:
            continue
        version = target._version
        assert getattr(target, entry.inplace)(*args[1:], **kwargs) is target
        assert target._version == version + 1
        np.testing.assert_array_equal(numpy(target), numpy(wanted).astype(np.float64))
        if entry.first:
            seed = [cotangent(seegrad, target, 1)]
            twin = gradients([target], leaves, seed)
            assert all_close(twin, gradients([wanted], leaves, seed), "float64")
