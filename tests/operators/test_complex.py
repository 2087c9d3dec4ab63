"""Operators between real and complex numbers: finite differences of first and second order."""

import math
from collections.abc import Callable
from typing import Any

import pytest

import seegrad

Z = [1 + 2j, -3 + 0.5j, 1.5 + 0.2j, 2 - 1j, -0.3 - 1j]

OF_ONE: dict[str, Callable[[Any], Any]] = {
    "abs": seegrad.abs,
    "angle": seegrad.angle,
    "real": seegrad.real,
    "imag": seegrad.imag,
    "conj": seegrad.conj,
    "conj_physical": seegrad.conj_physical,
    "sgn": seegrad.sgn,
    "view_as_real": seegrad.view_as_real,
    "view_as_complex": lambda z: seegrad.view_as_complex(seegrad.view_as_real(z) * 2),
    "complex": lambda z: seegrad.complex(z.imag, z.real * z.imag),
    "polar": lambda z: seegrad.polar(z.abs(), z.real),
    "norm 2": lambda z: z.norm(),
    "norm 1": lambda z: z.norm(1),
    "norm 3": lambda z: z.norm(3),
    "norm 1/2": lambda z: z.norm(0.5),
    "norm inf": lambda z: z.norm(math.inf),
    "norm -inf": lambda z: z.norm(-math.inf),
    "rows": lambda z: seegrad.linalg.vector_norm(z[:4].reshape(2, 2), 2, dim=1),
    "normalize": lambda z: seegrad.nn.functional.normalize(z, dim=0),
    "dist": lambda z: seegrad.dist(z, z.conj() * 2),
    "negative base": lambda z: (-2) ** z,
}


def _z() -> Any:
    return seegrad.tensor(Z, dtype=seegrad.complex128, requires_grad=True)


@pytest.mark.parametrize("name", OF_ONE)
def test_first_and_second_derivatives(name: str) -> None:
    assert seegrad.autograd.gradcheck(OF_ONE[name], (_z(),))
    assert seegrad.autograd.gradgradcheck(OF_ONE[name], (_z(),))


def test_real_powers_and_factors_of_complex_numbers() -> None:
    x = seegrad.tensor([1.5, -2.0, 0.5], dtype=seegrad.float64, requires_grad=True)
    z = seegrad.tensor(Z[:3], dtype=seegrad.complex128, requires_grad=True)
    for function in (seegrad.mul, seegrad.div, seegrad.pow, lambda a, b: seegrad.dist(a, b)):
        assert seegrad.autograd.gradcheck(function, (x, z))
        assert seegrad.autograd.gradgradcheck(function, (x, z))


def test_second_derivatives_at_zero_are_numbers() -> None:
    for function in (seegrad.angle, seegrad.sgn, lambda z: z.abs() * z.sgn(), lambda z: z.norm()):
        z = seegrad.zeros(2, dtype=seegrad.complex128, requires_grad=True)
        result = function(z)
        loss = seegrad.view_as_real(result).sum() if result.is_complex() else result.sum()
        (first,) = seegrad.autograd.grad(loss, z, create_graph=True)
        (second,) = seegrad.autograd.grad(first.abs().pow(2).sum(), z)
        assert second.tolist() == [0, 0]
