"""Operators without derivative: comparisons, truth values, bits."""

from typing import Any

from seegrad.rules.spec import constant


def flat(xp: Any, grad: Any) -> Any:
    """Zero: what a comparison wrote does not depend on what was there."""
    return xp.zeros_like(grad)


for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    _node = f"{_name.capitalize()}Backward"
    constant(
        f"{_name}(self, other)",
        promote="operands",
        result="bool",
        inplace=True,
        written={"node": f"{_node}1", "self": flat, "other": flat},
    )
    constant(
        f"{_name}_number(self, other)",
        operands="self",
        promote="operands",
        result="bool",
        inplace=True,
        written={"node": f"{_node}0", "self": flat},
    )

for _name in ("logical_and", "logical_or", "logical_xor"):
    constant(f"{_name}(self, other)", promote="operands", result="bool", inplace=True)

for _name in ("isnan", "isinf", "isfinite", "isposinf", "isneginf", "signbit"):
    constant(f"{_name}(self)", result="bool")

constant("isclose(self, other, rtol, atol, equal_nan)", promote="operands", result="bool")
constant("logical_not(self)", result="bool", inplace=True)

for _name in ("and", "or", "xor", "left_shift", "right_shift"):
    constant(f"bitwise_{_name}(self, other)", promote="operands", inplace=True)

constant("bitwise_not(self)", inplace=True)
