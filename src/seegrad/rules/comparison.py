"""Operators without derivative: comparisons, truth values, bits."""

from seegrad.rules.spec import constant

for _name in ("eq", "ne", "lt", "le", "gt", "ge", "logical_and", "logical_or", "logical_xor"):
    constant(f"{_name}(self, other)", promote="operands", result="bool", inplace=True)

for _name in ("isnan", "isinf", "isfinite", "isposinf", "isneginf", "signbit"):
    constant(f"{_name}(self)", result="bool")

constant("isclose(self, other, rtol, atol, equal_nan)", promote="operands", result="bool")
constant("logical_not(self)", result="bool", inplace=True)

for _name in ("and", "or", "xor", "left_shift", "right_shift"):
    constant(f"bitwise_{_name}(self, other)", promote="operands", inplace=True)

constant("bitwise_not(self)", inplace=True)
