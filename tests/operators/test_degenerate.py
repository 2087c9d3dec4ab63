"""Derivatives at singular matrices and repeated values, where they exist: by formula.

PyTorch gives zeros, NaN or refuses in these cases (docs/differences.md).
"""

from itertools import permutations
from math import prod
from typing import Any

import numpy as np
import pytest

import seegrad as torch

COEFFICIENTS = np.cos(np.arange(16.0)).reshape(4, 4)


def leaf(array: Any) -> Any:
    kind = torch.complex128 if np.iscomplexobj(array) else torch.float64
    return torch.tensor(array, dtype=kind).requires_grad_()


def turned(diagonal: list[float], seed: int = 0) -> Any:
    """A matrix with these singular values."""
    rng = np.random.default_rng(seed)
    U, V = (np.linalg.qr(rng.standard_normal((len(diagonal),) * 2))[0] for _ in "UV")
    return U * np.array(diagonal) @ V


def symmetric(diagonal: list[float], seed: int = 0) -> Any:
    """A symmetric matrix with these eigenvalues."""
    V = np.linalg.qr(np.random.default_rng(seed).standard_normal((len(diagonal),) * 2))[0]
    return V * np.array(diagonal) @ V.T


def gradient(function: Any, array: Any) -> Any:
    A = leaf(array)
    (found,) = torch.autograd.grad(function(A), A)
    return np.array(found.tolist())


# Determinants


def leibniz(A: Any) -> Any:
    """The determinant as a sum over permutations, of recorded products."""
    size = A.shape[-1]
    total: Any = 0
    for order in permutations(range(size)):
        sign = np.linalg.det(np.eye(size)[list(order)])
        total = total + round(sign) * prod(A[row, column] for row, column in enumerate(order))
    return total


MATRICES = {
    "regular": turned([3.0, 2.0, 1.0, 0.5]),
    "rank 3": np.diag([1.0, 2.0, 3.0, 0.0]),
    "rank 3, turned": turned([1.0, 2.0, 3.0, 0.0]),
    "rank 2": turned([1.0, 2.0, 0.0, 0.0]),
    "rank 1": turned([2.0, 0.0, 0.0, 0.0]),
    "zero": np.zeros((4, 4)),
    "nearly singular": turned([1.0, 2.0, 3.0, 1e-13]),
    "complex": turned([1.0, 2.0, 3.0, 0.0]) + 1j * turned([1.0, 0.0, 0.0, 0.0]) * 0,
}


def derivatives(function: Any, array: Any, order: int) -> list[Any]:
    """Values and derivatives along fixed directions, up to an order."""
    A = leaf(array)
    value = function(A)
    found = [value]
    for step in range(order):
        (value,) = torch.autograd.grad(value, A, create_graph=True)
        found.append(value)
        value = (value * torch.tensor(np.roll(COEFFICIENTS, step), dtype=A.dtype)).sum()
        value = value.real if value.dtype.is_complex else value
    return [np.array(one.tolist()) for one in found]


@pytest.mark.parametrize("name", MATRICES)
def test_determinant_in_all_orders(name: str) -> None:
    array = MATRICES[name]
    real = (lambda x: x.real) if np.iscomplexobj(array) else (lambda x: x)
    found = derivatives(lambda A: real(torch.linalg.det(A)), array, 4)
    wanted = derivatives(lambda A: real(leibniz(A)), array, 4)
    for one, two in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-9, atol=1e-9)


def test_determinants_of_a_batch_of_all_kinds() -> None:
    batch = np.stack([MATRICES[name] for name in ("regular", "rank 3", "rank 2", "zero")])
    A = leaf(batch)
    (found,) = torch.autograd.grad(torch.linalg.det(A).sum(), A)
    for one, array in zip(np.array(found.tolist()), batch, strict=True):
        np.testing.assert_allclose(one, gradient(leibniz, array), atol=1e-12)


# Repeated values

SPECTRAL = {
    "itself": (lambda x: x, lambda x: 1 + 0 * x),
    "square": (lambda x: x * x, lambda x: 2 * x),
    "inverse": (lambda x: 1 / x, lambda x: -1 / x**2),
    "root": (lambda x: x**0.5, lambda x: 0.5 * x**-0.5),
    "one": (lambda x: x / x, lambda x: 0 * x),
}
REPEATED = [[2.0, 2.0, 5.0, 1.0], [3.0, 3.0, 3.0, 1.0], [2.0, 2.0, 3.0, 3.0], [2.0] * 4]


def daleckii_krein(array: Any, pair: Any) -> Any:
    """The gradient of `sum(C * f(A))`: divided differences, the derivative where values agree."""
    function, slope = pair
    values, V = np.linalg.eigh(array)
    one, two = values[:, None], values[None, :]
    same = np.abs(one - two) < 1e-9
    apart = np.where(same, 1, one - two)
    table = np.where(same, slope(one), (function(one) - function(two)) / apart)
    C = COEFFICIENTS + COEFFICIENTS.T
    return V @ (table * (V.T @ C @ V) / 2) @ V.T


@pytest.mark.parametrize("values", REPEATED, ids=str)
@pytest.mark.parametrize("name", SPECTRAL)
def test_functions_of_matrices_with_repeated_eigenvalues(name: str, values: list[float]) -> None:
    def loss(A: Any) -> Any:
        L, V = torch.linalg.eigh(A)
        return ((V * SPECTRAL[name][0](L)) @ V.mT * torch.tensor(COEFFICIENTS)).sum()

    for array in (symmetric(values), np.diag(values)):
        found = gradient(loss, array)
        np.testing.assert_allclose(
            found, daleckii_krein(array, SPECTRAL[name]), rtol=1e-8, atol=1e-8
        )


@pytest.mark.parametrize("values", REPEATED, ids=str)
def test_reconstruction_by_repeated_singular_values(values: list[float]) -> None:
    def loss(A: Any) -> Any:
        U, S, Vh = torch.linalg.svd(A)
        return ((U * S) @ Vh * torch.tensor(COEFFICIENTS)).sum()

    for array in (turned(values), np.diag(values)):
        np.testing.assert_allclose(gradient(loss, array), COEFFICIENTS, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("values", REPEATED, ids=str)
def test_inverse_by_repeated_singular_values(values: list[float]) -> None:
    def loss(A: Any) -> Any:
        U, S, Vh = torch.linalg.svd(A)
        return ((Vh.mT / S) @ U.mT * torch.tensor(COEFFICIENTS)).sum()

    array = turned(values)
    inverse = np.linalg.inv(array)
    wanted = -inverse.T @ COEFFICIENTS @ inverse.T
    np.testing.assert_allclose(gradient(loss, array), wanted, rtol=1e-8, atol=1e-8)


def test_complex_reconstruction_by_repeated_singular_values() -> None:
    def loss(A: Any) -> Any:
        U, S, Vh = torch.linalg.svd(A)
        return ((U * S) @ Vh * torch.tensor(COEFFICIENTS)).real.sum()

    found = gradient(loss, np.diag([2.0 + 0j, 2.0, 5.0, 1.0]))
    np.testing.assert_allclose(found, COEFFICIENTS, rtol=1e-8, atol=1e-8)


def test_a_loss_that_is_not_smooth_is_not_made_up() -> None:
    found = gradient(lambda A: torch.linalg.eigh(A)[1][0, 1], np.diag([2.0, 2.0, 5.0]))
    assert not np.isfinite(found).all()


def test_two_functions_at_once_are_not_guessed() -> None:
    """The limit is not determined: NaN, as in PyTorch, and no number that would be wrong."""

    def loss(A: Any) -> Any:
        L, V = torch.linalg.eigh(A)
        one, two = torch.tensor(COEFFICIENTS), torch.tensor(np.roll(COEFFICIENTS, 5))
        return ((V * L) @ V.mT * one).sum() + ((V * L**3) @ V.mT * two).sum()

    assert not np.isfinite(gradient(loss, np.diag([2.0, 2.0, 5.0, 1.0]))).all()


def test_second_derivatives_of_repeated_values_are_not_made_up() -> None:
    A = leaf(np.diag([2.0, 2.0, 5.0]))
    L, V = torch.linalg.eigh(A)
    loss = ((V * L) @ V.mT).sum()
    (first,) = torch.autograd.grad(loss, A, create_graph=True)
    (second,) = torch.autograd.grad((first**2).sum(), A)
    assert not np.isfinite(np.array(second.tolist())).all()


# Condition numbers by inverses, whose derivative PyTorch refuses


@pytest.mark.parametrize("p", ["fro", 1, -1, float("inf"), -float("inf")])
def test_condition_numbers_by_norms(p: Any) -> None:
    A = leaf(turned([3.0, 2.0, 1.0, 0.5]))
    assert torch.autograd.gradcheck(lambda A: torch.linalg.cond(A, p), (A,))
    wanted = np.linalg.cond(np.array(A.tolist()), p)
    assert torch.linalg.cond(A, p).item() == pytest.approx(wanted)


def test_values_that_are_close_but_not_equal_are_divided() -> None:
    """In float32 a gap of a few units in the last place is a gap."""
    A = torch.tensor(np.diag([1.0, 1.0 + 1e-5, 2.0]).astype(np.float32), requires_grad=True)
    _, V = torch.linalg.eigh(A)
    (found,) = torch.autograd.grad(V[1, 0] + V[2, 1], A)
    assert found.abs()[0, 1].item() == pytest.approx(0.5e5, rel=1e-2)
