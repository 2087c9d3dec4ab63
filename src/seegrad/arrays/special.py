"""Kernels of special functions: Bessel functions, the normal distribution, polynomials.

SciPy computes them; it is imported by the first that is called.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from seegrad.arrays.refusals import need_order
from seegrad.arrays.scipy_special import special_function

Array = Any  # an ndarray, or the NumPy scalar that a ufunc makes of 0-d arrays
Number = int | float


def _of_scipy(kernel: str, source: str) -> Callable[[Array], Array]:
    """SciPy's function of one real variable; `kernel` as PyTorch's refusal names it."""

    def computed(self: Array) -> Array:
        need_order(self, f"{kernel}_cpu")
        return special_function(source)(self)

    return computed


# With a derivative.

i0 = _of_scipy("i0_vml", "i0")
special_i0e = _of_scipy("i0e", "i0e")
special_i1 = _of_scipy("i1", "i1")
special_i1e = _of_scipy("i1e", "i1e")
special_ndtri = _of_scipy("ndtri", "ndtri")
special_log_ndtr = _of_scipy("log_ndtr", "log_ndtr")
special_entr = _of_scipy("entr", "entr")
special_erfcx = _of_scipy("erfcx", "erfcx")


def special_xlog1py(self: Array, other: Array) -> Array:
    """`self log(1 + other)`, 0 where self is 0."""
    need_order(self, "xlog1py_cpu")
    value = np.where((self == 0) & ~np.isnan(other), 0, self * np.log1p(other))
    return value.astype(self.dtype, copy=False)


def special_xlog1py_self(self: Number, other: Array) -> Array:
    """The same for a number and a tensor."""
    return special_xlog1py(np.asarray(self, other.dtype), other)


def special_xlog1py_other(self: Array, other: Number) -> Array:
    """The same for a tensor and a number."""
    return special_xlog1py(self, np.asarray(other, self.dtype))


def special_zeta(self: Array, other: Array) -> Array:
    """Hurwitz' zeta function."""
    need_order(self, "zeta_cpu")
    return special_function("zeta")(self, other)


def special_zeta_self(self: Number, other: Array) -> Array:
    """The same for a number and a tensor."""
    return special_zeta(np.asarray(self, other.dtype), other)


def special_zeta_other(self: Array, other: Number) -> Array:
    """The same for a tensor and a number."""
    return special_zeta(self, np.asarray(other, self.dtype))


def igamma(self: Array, other: Array) -> Array:
    """The lower incomplete gamma function, divided by the whole one."""
    need_order(self, "igamma_cpu")
    return special_function("gammainc")(self, other)


def igammac(self: Array, other: Array) -> Array:
    """The upper incomplete gamma function, divided by the whole one."""
    need_order(self, "igammac_cpu")
    return special_function("gammaincc")(self, other)


def mvlgamma(self: Array, p: int) -> Array:
    """The logarithm of the gamma function of matrices of size p."""
    shifts = np.arange(p, dtype=self.dtype) / 2
    constant = p * (p - 1) / 4 * math.log(math.pi)
    return special_function("gammaln")(self[..., None] - shifts).sum(-1) + self.dtype.type(
        constant
    )


def mvlgamma_slope(self: Array, p: int, order: int) -> Array:
    """The derivative of `mvlgamma` of an order >= 1."""
    shifts = np.arange(p, dtype=self.dtype) / 2
    values = special_function("polygamma")(order - 1, self[..., None] - shifts)
    return values.sum(-1).astype(self.dtype)


# Without one, as in PyTorch.

special_bessel_j0 = _of_scipy("bessel_j0", "j0")
special_bessel_j1 = _of_scipy("bessel_j1", "j1")
special_bessel_y0 = _of_scipy("bessel_y0", "y0")
special_bessel_y1 = _of_scipy("bessel_y1", "y1")
special_modified_bessel_i0 = _of_scipy("modified_bessel_i0", "i0")
special_modified_bessel_i1 = _of_scipy("modified_bessel_i1", "i1")
special_modified_bessel_k0 = _of_scipy("modified_bessel_k0", "k0")
special_modified_bessel_k1 = _of_scipy("modified_bessel_k1", "k1")
special_scaled_modified_bessel_k0 = _of_scipy("scaled_modified_bessel_k0", "k0e")
special_scaled_modified_bessel_k1 = _of_scipy("scaled_modified_bessel_k1", "k1e")


def special_airy_ai(self: Array) -> Array:
    """Airy's function Ai."""
    need_order(self, "airy_ai_cpu")
    return special_function("airy")(self)[0]


def special_spherical_bessel_j0(self: Array) -> Array:
    """`sin(x) / x`."""
    need_order(self, "spherical_bessel_j0_cpu")
    return np.sinc(self / math.pi).astype(self.dtype)


Step = Callable[[Array, int, Array, Array], Array]  # x, degree k, P_k, P_(k - 1) -> P_(k + 1)


def _polynomial(first: Callable[[Array], Array], step: Step) -> Callable[[Array, Array], Array]:
    """A polynomial of each degree n: by its recurrence, up to the highest degree there is."""

    def computed(self: Array, n: Array) -> Array:
        x, degrees = np.broadcast_arrays(self, np.trunc(n))
        before, now = np.ones_like(x), first(x).astype(x.dtype)
        found = np.where(degrees == 0, before, np.where(degrees == 1, now, 0)).astype(x.dtype)
        for degree in range(1, int(degrees.max(initial=0))):
            before, now = now, step(x, degree, now, before).astype(x.dtype)
            found = np.where(degrees == degree + 1, now, found)
        return found

    return computed


def _chebyshev(x: Array, k: int, now: Array, before: Array) -> Array:
    return 2 * x * now - before


def _shifted(x: Array, k: int, now: Array, before: Array) -> Array:
    return 2 * (2 * x - 1) * now - before


def _hermite(x: Array, k: int, now: Array, before: Array) -> Array:
    return 2 * x * now - 2 * k * before


def _hermite_of_probability(x: Array, k: int, now: Array, before: Array) -> Array:
    return x * now - k * before


def _laguerre(x: Array, k: int, now: Array, before: Array) -> Array:
    return ((2 * k + 1 - x) * now - k * before) / (k + 1)


def _legendre(x: Array, k: int, now: Array, before: Array) -> Array:
    return ((2 * k + 1) * x * now - k * before) / (k + 1)


special_chebyshev_polynomial_t = _polynomial(lambda x: x, _chebyshev)
special_chebyshev_polynomial_u = _polynomial(lambda x: 2 * x, _chebyshev)
special_chebyshev_polynomial_v = _polynomial(lambda x: 2 * x - 1, _chebyshev)
special_chebyshev_polynomial_w = _polynomial(lambda x: 2 * x + 1, _chebyshev)
special_shifted_chebyshev_polynomial_t = _polynomial(lambda x: 2 * x - 1, _shifted)
special_shifted_chebyshev_polynomial_u = _polynomial(lambda x: 4 * x - 2, _shifted)
special_shifted_chebyshev_polynomial_v = _polynomial(lambda x: 4 * x - 3, _shifted)
special_shifted_chebyshev_polynomial_w = _polynomial(lambda x: 4 * x - 1, _shifted)
special_hermite_polynomial_h = _polynomial(lambda x: 2 * x, _hermite)
special_hermite_polynomial_he = _polynomial(lambda x: x, _hermite_of_probability)
special_laguerre_polynomial_l = _polynomial(lambda x: 1 - x, _laguerre)
special_legendre_polynomial_p = _polynomial(lambda x: x, _legendre)
