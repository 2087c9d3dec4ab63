"""Operators of the language: `a * b` is the generated operator itself."""

from typing import Any

import numpy as np

from seegrad.graph.recorded import recorded as op
from seegrad.graph.tensor import TensorBase, wrap
from seegrad.ops.comparison import bitwise_left_shift, bitwise_right_shift
from seegrad.ops.elementwise import floor_divide, positive, pow, rdiv, remainder, rsub
from seegrad.ops.linalg import matmul
from seegrad.tensor.data import checked_array

__all__ = ["ArithmeticFace"]


def reflected(function: Any) -> Any:
    """`b - a` for a `b` that is not a tensor."""

    def apply(self: Any, other: Any) -> Any:
        return function(other, self)

    return apply


def in_place(name: str) -> Any:
    """`b **= a`, which is the method `pow_`."""

    def apply(self: Any, other: Any) -> Any:
        return getattr(self, name)(other)

    return apply


class ArithmeticFace(TensorBase):
    """The special methods of arithmetic, comparison and logic, and their in-place forms."""

    __add__ = __radd__ = op.symbol_add
    __sub__ = op.symbol_sub
    __mul__ = __rmul__ = op.symbol_mul
    __truediv__ = op.symbol_div
    __neg__ = op.neg
    __pos__ = positive
    __abs__ = op.abs
    __pow__ = pow
    __rpow__ = reflected(pow)
    __rsub__ = rsub
    __rtruediv__ = __rdiv__ = rdiv
    __floordiv__ = floor_divide
    __rfloordiv__ = reflected(floor_divide)
    __mod__ = remainder
    __rmod__ = reflected(remainder)
    __and__ = __rand__ = op.symbol_bitwise_and
    __or__ = __ror__ = op.symbol_bitwise_or
    __xor__ = __rxor__ = op.symbol_bitwise_xor
    __lshift__ = op.symbol_bitwise_left_shift
    __rlshift__ = reflected(bitwise_left_shift)
    __rrshift__ = reflected(bitwise_right_shift)
    __rshift__ = op.symbol_bitwise_right_shift
    __iadd__ = op.add_
    __isub__ = op.sub_
    __imul__ = op.mul_
    __itruediv__ = __idiv__ = op.div_
    __ifloordiv__ = op.floor_divide_
    __imod__ = in_place("remainder_")
    __ipow__ = in_place("pow_")
    __iand__ = op.bitwise_and_
    __ior__ = op.bitwise_or_
    __ixor__ = op.bitwise_xor_
    __ilshift__ = op.bitwise_left_shift_
    __irshift__ = op.bitwise_right_shift_
    __lt__ = op.symbol_lt
    __le__ = op.symbol_le
    __gt__ = op.symbol_gt
    __ge__ = op.symbol_ge

    def __matmul__(self: Any, other: Any) -> Any:
        try:
            dims = other._array.ndim
        except AttributeError:
            return NotImplemented
        return op.mm(self, other) if dims == 2 == self._array.ndim else matmul(self, other)

    def __rmatmul__(self: Any, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            other = wrap(checked_array(other))
        elif not isinstance(other, TensorBase):
            return NotImplemented
        return matmul(other, self)

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
