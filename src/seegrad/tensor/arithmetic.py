"""Operators of the language: `a * b` is the generated operator itself."""

from typing import Any

from seegrad.graph.recorded import recorded as op
from seegrad.graph.tensor import TensorBase
from seegrad.ops.elementwise import floor_divide, positive, pow, rdiv, remainder, rsub
from seegrad.ops.linalg import matmul

__all__ = ["ArithmeticFace"]


def reflected(function: Any) -> Any:
    """`b - a` for a `b` that is not a tensor."""

    def apply(self: Any, other: Any) -> Any:
        return function(other, self)

    return apply


class ArithmeticFace(TensorBase):
    """The special methods of arithmetic, comparison and logic, and their in-place forms."""

    __add__ = __radd__ = op.add
    __sub__ = op.sub
    __mul__ = __rmul__ = op.mul
    __truediv__ = op.div
    __neg__ = op.neg
    __pos__ = positive
    __abs__ = op.abs
    __pow__ = pow
    __rpow__ = reflected(pow)
    __rsub__ = rsub
    __rtruediv__ = rdiv
    __floordiv__ = floor_divide
    __rfloordiv__ = reflected(floor_divide)
    __mod__ = remainder
    __rmod__ = reflected(remainder)
    __matmul__ = matmul
    __rmatmul__ = reflected(matmul)
    __and__ = __rand__ = op.bitwise_and
    __or__ = __ror__ = op.bitwise_or
    __xor__ = __rxor__ = op.bitwise_xor
    __invert__ = op.bitwise_not
    __lshift__ = op.bitwise_left_shift
    __rshift__ = op.bitwise_right_shift
    __iadd__ = op.add_
    __isub__ = op.sub_
    __imul__ = op.mul_
    __itruediv__ = op.div_
    __lt__ = op.lt
    __le__ = op.le
    __gt__ = op.gt
    __ge__ = op.ge

    def __eq__(self, other: object) -> Any:
        return op.eq(self, other) if other is not None else False

    def __ne__(self, other: object) -> Any:
        return op.ne(self, other) if other is not None else True

    __hash__ = object.__hash__
