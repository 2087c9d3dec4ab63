"""Public comparisons, truth values and bits; nothing here has a derivative."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from seegrad.graph.tensor import wrap
from seegrad.operators.recording import recorded as op
from seegrad.ops.calls import public
from seegrad.ops.out import into, need_tensor, need_tensors

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

Number = bool | int | float | complex


def eq(input: Tensor, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Return where input is equal.

    `input`: (...). `other`: a tensor of a shape that broadcasts, or a number. Returns bool of
    the common shape.

    >>> import seegrad as torch
    >>> torch.eq(torch.tensor([1, 2, 3]), 2)
    tensor([False,  True, False])
    """
    return op.eq(input, other) if out is None else into(out, "eq", op.eq, input, other)


def ne(input: Tensor, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Return where input is different.

    `input`: (...). `other`: a tensor of a shape that broadcasts, or a number. Returns bool of
    the common shape.

    >>> import seegrad as torch
    >>> torch.ne(torch.tensor([1, 2, 3]), 2)
    tensor([ True, False,  True])
    """
    return op.ne(input, other) if out is None else into(out, "ne", op.ne, input, other)


not_equal = ne


def lt(input: Tensor, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Return where input is less.

    `input`: (...). `other`: a tensor of a shape that broadcasts, or a number. Returns bool of
    the common shape. Raises NotImplementedError for complex numbers.

    >>> import seegrad as torch
    >>> torch.lt(torch.tensor([1, 2, 3]), 2)
    tensor([ True, False, False])
    """
    return op.lt(input, other) if out is None else into(out, "lt", op.lt, input, other)


less = lt


def le(input: Tensor, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Return where input is less or equal.

    `input`: (...). `other`: a tensor of a shape that broadcasts, or a number. Returns bool of
    the common shape. Raises NotImplementedError for complex numbers.

    >>> import seegrad as torch
    >>> torch.le(torch.tensor([1, 2, 3]), 2)
    tensor([ True,  True, False])
    """
    return op.le(input, other) if out is None else into(out, "le", op.le, input, other)


less_equal = le


def gt(input: Tensor, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Return where input is greater.

    `input`: (...). `other`: a tensor of a shape that broadcasts, or a number. Returns bool of
    the common shape. Raises NotImplementedError for complex numbers.

    >>> import seegrad as torch
    >>> torch.gt(torch.tensor([1, 2, 3]), 2)
    tensor([False, False,  True])
    """
    return op.gt(input, other) if out is None else into(out, "gt", op.gt, input, other)


greater = gt


def ge(input: Tensor, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Return where input is greater or equal.

    `input`: (...). `other`: a tensor of a shape that broadcasts, or a number. Returns bool of
    the common shape. Raises NotImplementedError for complex numbers.

    >>> import seegrad as torch
    >>> torch.ge(torch.tensor([1, 2, 3]), 2)
    tensor([False,  True,  True])
    """
    return op.ge(input, other) if out is None else into(out, "ge", op.ge, input, other)


greater_equal = ge


def isnan(input: Tensor) -> Tensor:
    """Return where elements are NaN.

    `input`: (...). Returns bool (...).

    >>> import seegrad as torch
    >>> torch.isnan(torch.tensor([1.0, float('inf'), float('nan')]))
    tensor([False, False,  True])
    """
    return op.isnan(input)


def isinf(input: Tensor) -> Tensor:
    """Return where elements are infinite.

    `input`: (...). Returns bool (...).

    >>> import seegrad as torch
    >>> torch.isinf(torch.tensor([1.0, float('inf'), float('nan')]))
    tensor([False,  True, False])
    """
    return op.isinf(input)


def isfinite(input: Tensor) -> Tensor:
    """Return where elements are neither NaN nor infinite.

    `input`: (...). Returns bool (...).

    >>> import seegrad as torch
    >>> torch.isfinite(torch.tensor([1.0, float('inf'), float('nan')]))
    tensor([ True, False, False])
    """
    return op.isfinite(input)


@public
def isposinf(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return where elements are plus infinity.

    `input`: (...), real. Returns bool (...).

    >>> import seegrad as torch
    >>> torch.isposinf(torch.tensor([-0.0, float('inf'), -float('inf')]))
    tensor([False,  True, False])
    """
    return op.isposinf(input) if out is None else into(out, "isposinf", op.isposinf, input)


@public
def isneginf(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return where elements are minus infinity.

    `input`: (...), real. Returns bool (...).

    >>> import seegrad as torch
    >>> torch.isneginf(torch.tensor([-0.0, float('inf'), -float('inf')]))
    tensor([False, False,  True])
    """
    return op.isneginf(input) if out is None else into(out, "isneginf", op.isneginf, input)


@public
def isreal(input: Tensor) -> Tensor:
    """Return where elements have no imaginary part; everywhere for real tensors.

    `input`: (...). Returns bool (...).

    >>> import seegrad as torch
    >>> torch.isreal(torch.tensor([1.0, 1j]))
    tensor([ True, False])
    """
    array = np.asarray(input._array)
    return wrap(array.imag == 0 if array.dtype.kind == "c" else np.ones(array.shape, np.bool_))


@public
def signbit(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return where the sign bit is set: for -0.0 too.

    `input`: (...), real. Returns bool (...).

    >>> import seegrad as torch
    >>> torch.signbit(torch.tensor([-0.0, float('inf'), -float('inf')]))
    tensor([ True, False,  True])
    """
    return op.signbit(input) if out is None else into(out, "signbit", op.signbit, input)


def logical_and(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return where both are not zero.

    `input` and `other`: shapes that broadcast. Returns bool of the common shape. Raises
    TypeError where other is no tensor.

    >>> import seegrad as torch
    >>> torch.logical_and(torch.tensor([0, 1, 2]), torch.tensor([0, 0, 1]))
    tensor([False, False,  True])
    """
    need_tensors("logical_and", input, other)
    return (
        op.logical_and(input, other)
        if out is None
        else into(out, "logical_and", op.logical_and, input, other)
    )


def logical_or(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return where one is not zero.

    `input` and `other`: shapes that broadcast. Returns bool of the common shape. Raises
    TypeError where other is no tensor.

    >>> import seegrad as torch
    >>> torch.logical_or(torch.tensor([0, 1, 2]), torch.tensor([0, 0, 1]))
    tensor([False,  True,  True])
    """
    need_tensors("logical_or", input, other)
    return (
        op.logical_or(input, other)
        if out is None
        else into(out, "logical_or", op.logical_or, input, other)
    )


def logical_xor(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return where exactly one is not zero.

    `input` and `other`: shapes that broadcast. Returns bool of the common shape. Raises
    TypeError where other is no tensor.

    >>> import seegrad as torch
    >>> torch.logical_xor(torch.tensor([0, 1, 2]), torch.tensor([0, 0, 1]))
    tensor([False,  True, False])
    """
    need_tensors("logical_xor", input, other)
    return (
        op.logical_xor(input, other)
        if out is None
        else into(out, "logical_xor", op.logical_xor, input, other)
    )


def logical_not(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return where elements are zero.

    `input`: (...). Returns bool (...).

    >>> import seegrad as torch
    >>> torch.logical_not(torch.tensor([0, 1, 2]))
    tensor([ True, False, False])
    """
    return (
        op.logical_not(input) if out is None else into(out, "logical_not", op.logical_not, input)
    )


def bitwise_and(
    input: Tensor | Number, other: Tensor | Number, *, out: Tensor | None = None
) -> Tensor:
    """Return the and of the bits.

    `input` and `other`: integers or bools of shapes that broadcast, or a number for one of
    them. Returns the common shape. Raises NotImplementedError for other types.

    >>> import seegrad as torch
    >>> torch.bitwise_and(torch.tensor([5, 6]), torch.tensor([1, 2]))
    tensor([1, 2])
    """
    return (
        op.bitwise_and(input, other)
        if out is None
        else into(out, "bitwise_and", op.bitwise_and, input, other)
    )


def bitwise_or(
    input: Tensor | Number, other: Tensor | Number, *, out: Tensor | None = None
) -> Tensor:
    """Return the or of the bits.

    `input` and `other`: integers or bools of shapes that broadcast, or a number for one of
    them. Returns the common shape. Raises NotImplementedError for other types.

    >>> import seegrad as torch
    >>> torch.bitwise_or(torch.tensor([5, 6]), torch.tensor([1, 2]))
    tensor([5, 6])
    """
    return (
        op.bitwise_or(input, other)
        if out is None
        else into(out, "bitwise_or", op.bitwise_or, input, other)
    )


def bitwise_xor(
    input: Tensor | Number, other: Tensor | Number, *, out: Tensor | None = None
) -> Tensor:
    """Return the exclusive or of the bits.

    `input` and `other`: integers or bools of shapes that broadcast, or a number for one of
    them. Returns the common shape. Raises NotImplementedError for other types.

    >>> import seegrad as torch
    >>> torch.bitwise_xor(torch.tensor([5, 6]), torch.tensor([1, 2]))
    tensor([4, 4])
    """
    return (
        op.bitwise_xor(input, other)
        if out is None
        else into(out, "bitwise_xor", op.bitwise_xor, input, other)
    )


def bitwise_left_shift(
    input: Tensor | Number, other: Tensor | Number, *, out: Tensor | None = None
) -> Tensor:
    """Return the bits of input shifted up by other.

    `input` and `other`: integers or bools of shapes that broadcast, or a number for one of
    them. Returns the common shape. Raises NotImplementedError for other types.

    >>> import seegrad as torch
    >>> torch.bitwise_left_shift(torch.tensor([5, 6]), torch.tensor([1, 2]))
    tensor([10, 24])
    """
    return (
        op.bitwise_left_shift(input, other)
        if out is None
        else into(out, "bitwise_left_shift", op.bitwise_left_shift, input, other)
    )


def bitwise_right_shift(
    input: Tensor | Number, other: Tensor | Number, *, out: Tensor | None = None
) -> Tensor:
    """Return the bits of input shifted down by other.

    `input` and `other`: integers or bools of shapes that broadcast, or a number for one of
    them. Returns the common shape. Raises NotImplementedError for other types.

    >>> import seegrad as torch
    >>> torch.bitwise_right_shift(torch.tensor([5, 6]), torch.tensor([1, 2]))
    tensor([2, 1])
    """
    return (
        op.bitwise_right_shift(input, other)
        if out is None
        else into(out, "bitwise_right_shift", op.bitwise_right_shift, input, other)
    )


@public
def bitwise_not(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return all bits turned.

    `input`: (...), integers or bools. Returns (...). Raises NotImplementedError for other
    types.

    >>> import seegrad as torch
    >>> torch.bitwise_not(torch.tensor([0, 5]))
    tensor([-1, -6])
    """
    return (
        op.bitwise_not(input) if out is None else into(out, "bitwise_not", op.bitwise_not, input)
    )


@public
def isclose(
    input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> Tensor:
    """Return where elements are close to each other.

    `input` and `other`: one type, shapes that broadcast; close means within `atol + rtol *
    abs(other)`. Returns bool of the common shape. Raises RuntimeError for different types.

    >>> import seegrad as torch
    >>> torch.isclose(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 2.1]))
    tensor([ True, False])
    """
    need_tensor("isclose", "other", 2, other)
    if input.dtype is not other.dtype:
        raise RuntimeError(f"{input.dtype.scalar_name} did not match {other.dtype.scalar_name}")
    for name, value in (("rtol", rtol), ("atol", atol)):
        if value < 0:
            raise RuntimeError(f"{name} must be greater than or equal to zero, but got {value:g}")
    return op.isclose(input, other, rtol, atol, equal_nan)


@public
def allclose(
    input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> bool:
    """Return whether all elements are close to each other.

    `input` and `other`: one type, shapes that broadcast; close means within `atol + rtol *
    abs(other)`. Returns a Python bool. Raises RuntimeError for different types.

    >>> import seegrad as torch
    >>> torch.allclose(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 2.1]))
    False
    """
    return bool(isclose(input, other, rtol, atol, equal_nan)._array.all())


@public
def equal(input: Tensor, other: Tensor) -> bool:
    """Return whether two tensors have the same shape and the same elements.

    `input` and `other`: any shapes. Returns a Python bool.

    >>> import seegrad as torch
    >>> torch.equal(torch.tensor([1, 2]), torch.tensor([1, 2]))
    True
    """
    need_tensor("equal", "other", 2, other)
    return bool(np.array_equal(input._array, other._array))
