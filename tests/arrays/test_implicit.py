"""How gamma and beta numbers move with their parameters: integrals and closed forms."""

import math

import numpy as np
import pytest
from scipy import integrate, special

from seegrad.arrays.implicit import dirichlet_grad, standard_gamma_grad

PLACES = [(0.05, 1e-9), (0.3, 0.009), (0.3, 0.011), (0.7, 2.0), (3.0, 2.0), (20.0, 22.0)]


@pytest.mark.parametrize("shape, x", PLACES)
def test_gamma_numbers_move_as_the_integral_says(shape: float, x: float) -> None:
    """dx/da = -(dF/da) / f, both as integrals from 0 to x, of t = x u^(1/a)."""

    def integrand(u: float) -> float:
        logarithm = math.log(x) + math.log(u) / shape - special.digamma(shape)
        return float(logarithm * math.exp(x * (1 - u ** (1 / shape))))

    total, _ = integrate.quad(integrand, 0, 1, epsabs=0, epsrel=1e-11, limit=500)
    found = standard_gamma_grad(np.array(shape), np.array(x))
    assert float(found) == pytest.approx(-x / shape * total, rel=2e-8)


def test_shares_move_as_the_power_of_a_uniform_number_does() -> None:
    """A beta number of (a, 1) is u^(1/a): dx/da = -x log(x) / a."""
    a, x = np.meshgrid([0.1, 0.5, 2.0, 30.0], [0.01, 0.3, 0.6, 0.99])
    found = dirichlet_grad(x, a, a + 1)
    np.testing.assert_allclose(found, -x * np.log(x) / a / (1 - x), rtol=1e-9)
    np.testing.assert_allclose(
        dirichlet_grad(x.astype(np.float32), a.astype(np.float32), (a + 1).astype(np.float32)),
        found, rtol=3e-6,
    )  # fmt: skip
