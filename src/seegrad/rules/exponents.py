"""Derivatives of binary exponents; common divisors and multiples have none."""

import math

from seegrad.rules.spec import constant, elementwise, general

general(
    "frexp(self)",
    outputs="mantissa exponent",
    self=lambda xp, grad, exponent: xp.ldexp(grad, -exponent),
)
elementwise(
    "ldexp(self, other)",
    promote="float",
    self=lambda xp, grad, other: xp.ldexp(grad, other),
    other=lambda xp, grad, result: grad * (result * math.log(2)),
)
for _name in ("gcd", "lcm"):
    constant(f"{_name}(self, other)", promote="operands", inplace=True)
