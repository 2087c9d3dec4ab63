"""Operators of the language: `a * b` is the generated operator itself."""

from typing import Any

import numpy as np

from seegrad.arrays.promotion import plain_number
from seegrad.graph.asked import arm, asked_among, is_asking
from seegrad.graph.recorded import recorded as op
from seegrad.graph.tensor import TensorBase
from seegrad.operators.general import OPERANDS
from seegrad.ops.comparison import bitwise_left_shift, bitwise_right_shift
from seegrad.ops.elementwise import (
    fitted,
    floor_divide,
    positive,
    pow,
    power_base,
    rdiv,
    refuse_bools,
    remainder,
    rsub,
)
from seegrad.ops.linalg import matmul

__all__ = ["ArithmeticFace"]


def symbol(name: str, function: Any) -> Any:
    """`a ** b` where `b` is no usual operand: `function(a, b)` of a number of NumPy's.

    Anything that is neither tensor nor number has its own method asked, so that NumPy computes
    `a ** array`.
    """

    def apply(self: Any, other: Any) -> Any:
        if not isinstance(other, OPERANDS):
            return elsewhere(name, self, other)
        return function(self, plain_number(other) if isinstance(other, np.generic) else other)

    apply.__name__ = name
    return apply


def reflected(name: str, function: Any) -> Any:
    """`b ** a` for a `b` that is not a tensor."""
    return symbol(name, lambda self, other: function(other, self))


def in_place(name: str, method: str) -> Any:
    """`b **= a`, which is the method `pow_`."""
    return symbol(name, lambda self, other: getattr(self, method)(other))


def elsewhere(name: str, self: Any, other: Any) -> Any:
    """What a class with a `__torch_function__` answers, else NotImplemented."""
    if is_asking() and asked_among([other]):
        arm()
        return getattr(self, name)(other)
    return NotImplemented


# What the methods below do with operands that are neither tensors nor Python's usual numbers.
OTHERS = {
    "__pow__": symbol("__pow__", pow),
    "__rsub__": symbol("__rsub__", rsub),
    "__rtruediv__": symbol("__rtruediv__", rdiv),
    "__floordiv__": symbol("__floordiv__", floor_divide),
    "__mod__": symbol("__mod__", remainder),
}


class ArithmeticFace(TensorBase):
    """The special methods of arithmetic, comparison and logic, and their in-place forms."""

    __add__ = __radd__ = op.symbol_add
    __sub__ = op.symbol_sub
    __mul__ = __rmul__ = op.symbol_mul
    __truediv__ = op.symbol_div
    __neg__ = op.neg
    __pos__ = positive
    __abs__ = op.abs
    __rpow__ = reflected("__rpow__", pow)
    __rfloordiv__ = reflected("__rfloordiv__", floor_divide)
    __rmod__ = reflected("__rmod__", remainder)
    __and__ = __rand__ = op.symbol_bitwise_and
    __or__ = __ror__ = op.symbol_bitwise_or
    __xor__ = __rxor__ = op.symbol_bitwise_xor
    __lshift__ = op.symbol_bitwise_left_shift
    __rlshift__ = reflected("__rlshift__", bitwise_left_shift)
    __rrshift__ = reflected("__rrshift__", bitwise_right_shift)
    __rshift__ = op.symbol_bitwise_right_shift
    __iadd__ = op.symbol_add_
    __isub__ = op.symbol_sub_
    __imul__ = op.symbol_mul_
    __itruediv__ = __idiv__ = op.symbol_div_
    __ifloordiv__ = op.symbol_floor_divide_
    __imod__ = in_place("__imod__", "remainder_")
    __ipow__ = in_place("__ipow__", "pow_")
    __iand__ = op.symbol_bitwise_and_
    __ior__ = op.symbol_bitwise_or_
    __ixor__ = op.symbol_bitwise_xor_
    __ilshift__ = op.symbol_bitwise_left_shift_
    __irshift__ = op.symbol_bitwise_right_shift_
    __lt__ = op.symbol_lt
    __le__ = op.symbol_le
    __gt__ = op.symbol_gt
    __ge__ = op.symbol_ge

    def __pow__(self: Any, exponent: Any) -> Any:
        kind = exponent.__class__
        if kind is int or kind is float:
            return op.pow_scalar(power_base(self, exponent), exponent)
        if isinstance(exponent, TensorBase):
            return op.pow(self, exponent)
        return OTHERS["__pow__"](self, exponent)

    def __rsub__(self: Any, other: Any) -> Any:
        kind = other.__class__
        if kind is int or kind is float:
            refuse_bools(self, other)
            return op.rsub_scalar(fitted(self, other), other)
        return OTHERS["__rsub__"](self, other)

    def __rtruediv__(self: Any, other: Any) -> Any:
        kind = other.__class__
        if kind is int or kind is float:
            return op.mul(op.reciprocal(self), other)
        if not isinstance(other, np.ndarray):
            return OTHERS["__rtruediv__"](self, other)
        try:
            return op.reciprocal(self) * other
        except TypeError:
            return NotImplemented

    __rdiv__ = __rtruediv__

    def __floordiv__(self: Any, other: Any) -> Any:
        kind = other.__class__
        if kind is int or kind is float or isinstance(other, TensorBase):
            return op.floor_divide(self, other)
        return OTHERS["__floordiv__"](self, other)

    def __mod__(self: Any, other: Any) -> Any:
        kind = other.__class__
        if kind is int or kind is float:
            return op.remainder_scalar(fitted(self, other), other)
        if isinstance(other, TensorBase):
            return op.remainder(self, other)
        return OTHERS["__mod__"](self, other)

    def __matmul__(self: Any, other: Any) -> Any:
        try:
            dims = other._array.ndim
        except AttributeError:
            return elsewhere("__matmul__", self, other)
        return op.mm(self, other) if dims == 2 == self._array.ndim else matmul(self, other)

    def __rmatmul__(self: Any, other: Any) -> Any:
        is_tensor = isinstance(other, TensorBase)
        return matmul(other, self) if is_tensor else elsewhere("__rmatmul__", self, other)

    def __invert__(self) -> Any:
        if self._array.dtype.kind not in "iub":
            raise TypeError(
                "~ (operator.invert) is only implemented on integer and Boolean-type tensors"
            )
        return op.bitwise_not(self)

    def __eq__(self, other: object) -> Any:
        return op.symbol_eq(self, other)

    def __ne__(self, other: object) -> Any:
        return op.symbol_ne(self, other)

    __hash__ = object.__hash__
