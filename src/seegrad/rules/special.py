"""Derivatives of special functions: Bessel functions, the normal distribution, zeta and gamma."""

import math
from typing import Any

from seegrad.rules.spec import constant, elementwise, without

Xp = Any  # a namespace of operators: `raw` on arrays or `recorded` on tensors
Value = Any  # an array or a tensor, as the namespace has it


def over(xp: Xp, value: Value, self: Value) -> Value:
    """`value / self`, and the limit 1/2 at 0 of what I1(x) / x is."""
    near = self == 0
    return xp.where(near, 0.5, value / xp.where(near, 1.0, self))


def i1_self(xp: Xp, grad: Value, self: Value, result: Value) -> Value:
    """`I0 - I1 / x`."""
    return grad * (xp.i0(self) - over(xp, result, self))


def i1e_self(xp: Xp, grad: Value, self: Value, result: Value) -> Value:
    """`exp(-|x|) I0 - (sgn(x) + 1 / x) exp(-|x|) I1`."""
    scaled = xp.special_i0e(self) - xp.sgn(self) * result
    return grad * (scaled - over(xp, result, self))


def log_ndtr_self(xp: Xp, grad: Value, self: Value) -> Value:
    """The density divided by the distribution, both scaled so that neither vanishes."""
    return grad / xp.special_erfcx(self * -math.sqrt(0.5)) * math.sqrt(2 / math.pi)


def xlog1py_self(xp: Xp, grad: Value, self: Value, other: Value) -> Value:
    """`log(1 + y)`, and 0 where the function is flat: at x = 0 and y <= -1."""
    return xp.where((self == 0) & (other <= -1), 0.0, grad * xp.log1p(other))


elementwise("i0(self)", promote="float", self=lambda xp, grad, self: grad * xp.special_i1(self))
elementwise(
    "special_i0e(self)",
    node="SpecialI0EBackward0",
    promote="float",
    inplace=False,
    self=lambda xp, grad, self, result: grad * (xp.special_i1e(self) - xp.sgn(self) * result),
)
elementwise("special_i1(self)", promote="float", inplace=False, self=i1_self)
elementwise(
    "special_i1e(self)",
    node="SpecialI1EBackward0",
    promote="float",
    inplace=False,
    self=i1e_self,
)
elementwise(
    "special_ndtri(self)",
    promote="float",
    inplace=False,
    self=lambda xp, grad, result: (
        grad * math.sqrt(2 * math.pi) * xp.exp(xp.pow_scalar(result, 2) / 2)
    ),
)
elementwise("special_log_ndtr(self)", promote="float", inplace=False, self=log_ndtr_self)
elementwise(
    "special_entr(self)",
    promote="float",
    inplace=False,
    self=lambda xp, grad, self: grad * -(xp.log(self) + 1),
)
elementwise(
    "special_erfcx(self)",
    promote="float",
    inplace=False,
    self=lambda xp, grad, self, result: grad * (2 * self * result - 2 / math.sqrt(math.pi)),
)
elementwise(
    "special_xlog1py(self, other)",
    promote="float",
    node="SpecialXlog1PyBackward0",
    inplace=False,
    self=xlog1py_self,
    other=lambda xp, grad, self, other: grad * (self / (other + 1)),
)
elementwise(
    "special_xlog1py_self(self, other)",
    promote="float",
    node="SpecialXlog1PyBackward1",
    inplace=False,
    other=lambda xp, grad, self, other: grad * (self / (other + 1)),
)
elementwise(
    "special_xlog1py_other(self, other)",
    promote="float",
    node="SpecialXlog1PyBackward2",
    inplace=False,
    self=lambda xp, grad, self, other: (
        grad * math.log1p(other) if other > -1 else xlog1py_self(xp, grad, self, self * 0 + other)
    ),
)
elementwise(
    "special_zeta_self(self, other)",
    promote="float",
    node="SpecialZetaBackward1",
    inplace=False,
    other=lambda xp, grad, self, other: grad * -self * xp.special_zeta_self(self + 1, other),
)
elementwise(
    "special_zeta_other(self, other)",
    promote="float",
    node="SpecialZetaBackward2",
    inplace=False,
    self=without("zeta"),
)
elementwise(
    "special_zeta(self, other)",
    promote="float",
    inplace=False,
    self=without("zeta"),
    other=lambda xp, grad, self, other: grad * -self * xp.special_zeta(self + 1, other),
)


def igamma_other(xp: Xp, grad: Value, self: Value, other: Value) -> Value:
    """`y^(x - 1) exp(-y) / gamma(x)`."""
    return grad * xp.exp((self - 1) * xp.log(other) - other - xp.lgamma(self))


elementwise(
    "igamma(self, other)", promote="float", self=without("igamma: input"), other=igamma_other
)
elementwise(
    "igammac(self, other)",
    promote="float",
    self=without("igammac: input"),
    other=lambda xp, grad, self, other: -igamma_other(xp, grad, self, other),
)
elementwise(
    "mvlgamma(self, p)",
    promote="float",
    self=lambda xp, grad, self, p: grad * xp.mvlgamma_slope(self, p, 1),
)
elementwise(
    "mvlgamma_slope(self, p, order)",
    promote="float",
    inplace=False,
    self=lambda xp, grad, self, p, order: grad * xp.mvlgamma_slope(self, p, order + 1),
)

for _name in (
    *("bessel_j0", "bessel_j1", "bessel_y0", "bessel_y1"),
    *("modified_bessel_i0", "modified_bessel_i1", "modified_bessel_k0", "modified_bessel_k1"),
    *("scaled_modified_bessel_k0", "scaled_modified_bessel_k1"),
    *("airy_ai", "spherical_bessel_j0"),
):
    constant(f"special_{_name}(self)", promote="float")
for _name in (
    *(f"{_shift}chebyshev_polynomial_{_kind}" for _shift in ("", "shifted_") for _kind in "tuvw"),
    *("hermite_polynomial_h", "hermite_polynomial_he"),
    *("laguerre_polynomial_l", "legendre_polynomial_p"),
):
    constant(f"special_{_name}(self, n)", promote="float")
