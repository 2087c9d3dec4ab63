"""Public arithmetic and powers."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from seegrad.arrays.dtypes import complex128, float64, from_numpy
from seegrad.arrays.promotion import can_cast, result_dtype
from seegrad.graph.tensor import TensorBase
from seegrad.operators.recording import recorded as op
from seegrad.operators.signatures import invalid_combination
from seegrad.ops.calls import public
from seegrad.ops.out import into, need_tensor

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

Number = bool | int | float | complex


def fitted(input: Any, number: Any) -> Any:
    """Input in a type that can hold what a number of this kind makes of it."""
    kind = input._array.dtype.kind
    if (kind in "fcV" and not isinstance(number, complex)) or kind == "c":
        return input
    found = result_dtype([input._array, number])
    return input if found == input._array.dtype else op.to_copy(input, from_numpy(found))


def check_holds(input: Any, number: Any) -> None:
    """Refuses to write into `input` what a number of a wider kind makes of it."""
    found = result_dtype([input._array, number])
    if not can_cast(from_numpy(found), input.dtype):
        raise RuntimeError(
            f"result type {from_numpy(found).scalar_name} can't be cast to the desired output "
            f"type {input.dtype.scalar_name}"
        )


@public
def add(
    input: Tensor | Number, other: Tensor | Number, *, alpha: Number = 1, out: Tensor | None = None
) -> Tensor:
    """Return `input + alpha * other`.

    `input` and `other`: shapes that broadcast, or a number for one of them; the type is
    promoted. Returns the common shape. Raises RuntimeError where alpha is a float and both are
    integers.

    >>> import seegrad as torch
    >>> torch.add(torch.tensor([1, 2]), torch.tensor([10, 20]), alpha=2)
    tensor([21, 42])
    """
    if out is not None:
        return into(out, "add", add_scaled, input, other, alpha)
    return op.add(input, other) if alpha == 1 else add_scaled(input, other, alpha)


def add_scaled(input: Any, other: Any, alpha: Number) -> Any:
    """`input + alpha * other`."""
    return op.add(input, other) if alpha == 1 else op.add_scaled(input, other, alpha)


@public
def sub(
    input: Tensor | Number, other: Tensor | Number, *, alpha: Number = 1, out: Tensor | None = None
) -> Tensor:
    """Return `input - alpha * other`.

    `input` and `other`: shapes that broadcast, or a number for one of them; the type is
    promoted. Returns the common shape. Raises RuntimeError for bools.

    >>> import seegrad as torch
    >>> torch.sub(torch.tensor([10, 20]), torch.tensor([1, 2]), alpha=2)
    tensor([ 8, 16])
    """
    if out is not None:
        return into(out, "sub", sub_scaled, input, other, alpha)
    return op.sub(input, other) if alpha == 1 else sub_scaled(input, other, alpha)


subtract = sub


def sub_scaled(input: Any, other: Any, alpha: Number) -> Any:
    """`input - alpha * other`."""
    return op.sub(input, other) if alpha == 1 else op.sub_scaled(input, other, alpha)


def rsub(input: Tensor, other: Tensor | Number, *, alpha: Number = 1) -> Tensor:
    """Return `other - alpha * input`.

    `input` and `other`: shapes that broadcast, or a number for one of them; the type is
    promoted. Returns the common shape. Raises RuntimeError for bools.

    >>> import seegrad as torch
    >>> torch.rsub(torch.tensor([1, 2]), 10)
    tensor([9, 8])
    """
    if not isinstance(input, TensorBase):
        raise invalid_combination("rsub", input, other)
    refuse_bools(input, other)
    if isinstance(other, TensorBase) or alpha != 1:
        return op.rsub(input, other, alpha)
    return op.rsub_scalar(fitted(input, other), other)


def refuse_bools(*operands: Any) -> None:
    if all(isinstance(one, TensorBase) and one._array.dtype.kind == "b" for one in operands):
        return  # the kernel refuses two of them, in other words
    for one in operands:
        if one.__class__ is bool or (isinstance(one, TensorBase) and one._array.dtype.kind == "b"):
            raise RuntimeError(
                "Subtraction, the `-` operator, with a bool tensor is not supported. If you are "
                "trying to invert a mask, use the `~` or `logical_not()` operator instead."
            )


@public
def mul(input: Tensor | Number, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Return `input * other`.

    `input` and `other`: shapes that broadcast, or a number for one of them; the type is
    promoted. Returns the common shape.

    >>> import seegrad as torch
    >>> torch.mul(torch.tensor([1.0, 2.0]), 3)
    tensor([3., 6.])
    """
    return op.mul(input, other) if out is None else into(out, "mul", op.mul, input, other)


multiply = mul


@public
def div(
    input: Tensor | Number,
    other: Tensor | Number,
    *,
    rounding_mode: str | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Return `input / other`, rounded if a mode is given.

    `input` and `other`: shapes that broadcast, or a number for one of them; the type is
    promoted. Returns the common shape. Without a mode integers become the default float dtype;
    `rounding_mode` 'trunc' rounds to zero, 'floor' down. Raises RuntimeError for another mode,
    and for integers divided by zero with a mode.

    >>> import seegrad as torch
    >>> torch.div(torch.tensor([-7, 7]), 2, rounding_mode='floor')
    tensor([-4,  3])
    """
    if out is not None:
        return into(out, "div", divided, input, other, rounding_mode)
    return op.div(input, other) if rounding_mode is None else divided(input, other, rounding_mode)


divide = div


def divided(input: Any, other: Any, rounding_mode: str | None) -> Any:
    """`input / other` in a rounding mode."""
    if rounding_mode is None:
        return op.div(input, other)
    return op.div_mode(input, other, checked_mode(rounding_mode))


def checked_mode(rounding_mode: str) -> str:
    """The mode itself, or PyTorch's error for one that is not known."""
    if rounding_mode not in ("trunc", "floor"):
        raise RuntimeError(
            "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found "
            f"'{rounding_mode}'"
        )
    return rounding_mode


def rdiv(input: Tensor, other: Number) -> Tensor:
    """Return `other / input` for a number: the reciprocal, multiplied.

    `input`: (...). Returns (...).

    >>> import seegrad as torch
    >>> 1 / torch.tensor([1.0, 4.0])
    tensor([1.0000, 0.2500])
    """
    return op.mul(op.reciprocal(input), other)


@public
def true_divide(
    input: Tensor | Number, other: Tensor | Number, *, out: Tensor | None = None
) -> Tensor:
    """Return `input / other`.

    `input` and `other`: shapes that broadcast, or a number for one of them; the type is
    promoted. Returns the common shape.

    >>> import seegrad as torch
    >>> torch.true_divide(torch.tensor([1, 2]), 2)
    tensor([0.5000, 1.0000])
    """
    return op.div(input, other) if out is None else into(out, "true_divide", op.div, input, other)


@public
def floor_divide(
    input: Tensor | Number, other: Tensor | Number, *, out: Tensor | None = None
) -> Tensor:
    """Return `input / other` rounded down; it has no derivative.

    `input` and `other`: shapes that broadcast, or a number for one of them; the type is
    promoted. Returns the common shape. Raises RuntimeError for integers divided by zero.

    >>> import seegrad as torch
    >>> torch.floor_divide(torch.tensor([-7, 7]), 2)
    tensor([-4,  3])
    """
    return (
        op.floor_divide(input, other)
        if out is None
        else into(out, "floor_divide", op.floor_divide, input, other)
    )


def remainder(
    input: Tensor | Number, other: Tensor | Number, *, out: Tensor | None = None
) -> Tensor:
    """Return the remainder of a division, with the divisor's sign.

    `input` and `other`: shapes that broadcast, or a number for one of them; the type is
    promoted. Returns the common shape. Raises RuntimeError for integers divided by zero.

    >>> import seegrad as torch
    >>> torch.remainder(torch.tensor([-7.0, 7.0]), 3)
    tensor([2., 1.])
    """
    if out is not None:
        return into(out, "remainder", remainder, input, other)
    if isinstance(input, TensorBase) and not isinstance(other, TensorBase):
        return op.remainder_scalar(fitted(input, other), other)
    return op.remainder(input, other)


def fmod(input: Tensor, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Return the remainder of a division, with the dividend's sign.

    `input` and `other`: shapes that broadcast, or a number for one of them; the type is
    promoted. Returns the common shape. Raises RuntimeError for integers divided by zero.

    >>> import seegrad as torch
    >>> torch.fmod(torch.tensor([-7.0, 7.0]), 3)
    tensor([-1.,  1.])
    """
    if out is not None:
        return into(out, "fmod", fmod, input, other)
    if isinstance(input, TensorBase) and not isinstance(other, TensorBase):
        return op.fmod_scalar(fitted(input, other), other)
    return op.fmod(input, other)


def neg(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return `-input`.

    `input`: (...). Returns (...). Raises RuntimeError for bools.

    >>> import seegrad as torch
    >>> torch.neg(torch.tensor([1.0, -2.0]))
    tensor([-1.,  2.])
    """
    return op.neg(input) if out is None else into(out, "neg", op.neg, input)


negative = neg


@public
def positive(input: Tensor) -> Tensor:
    """Return input itself.

    `input`: (...). Returns (...). Raises RuntimeError for bools.

    >>> import seegrad as torch
    >>> torch.positive(torch.tensor([1.0, -2.0]))
    tensor([ 1., -2.])
    """
    if input._array.dtype.kind == "b":
        raise RuntimeError("The `+` operator, on a bool tensor is not supported.")
    return input


def reciprocal(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return `1 / input`.

    `input`: (...). Returns (...). Integers become the default float dtype.

    >>> import seegrad as torch
    >>> torch.reciprocal(torch.tensor([1.0, 4.0]))
    tensor([1.0000, 0.2500])
    """
    return op.reciprocal(input) if out is None else into(out, "reciprocal", op.reciprocal, input)


def pow(input: Tensor | Number, exponent: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Return `input ** exponent`.

    `input` and `exponent`: shapes that broadcast, or a number for one of them; the type is
    promoted. Returns the common shape. Raises RuntimeError for negative integer powers of
    integers.

    >>> import seegrad as torch
    >>> torch.pow(torch.tensor([1.0, 2.0, 3.0]), 2)
    tensor([1., 4., 9.])
    """
    if out is not None:
        return into(out, "pow", pow, input, exponent)
    if not isinstance(exponent, TensorBase):
        need_tensor("pow", "input", 1, input)
        return op.pow_scalar(power_base(input, exponent), exponent)
    if isinstance(input, TensorBase):
        return op.pow(input, exponent)
    return op.pow_base(input, fitted(exponent, input))


def power_base(input: Any, exponent: Number) -> Any:
    """The base in a type that holds the power; bools count as integers."""
    return fitted(input, exponent if input._array.dtype.kind != "b" else exponent * 1)


def square(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return `input ** 2`.

    `input`: (...). Returns (...).

    >>> import seegrad as torch
    >>> torch.square(torch.tensor([1.0, -3.0]))
    tensor([1., 9.])
    """
    return pow(input, 2) if out is None else into(out, "square", pow, input, 2)


def float_power(
    input: Tensor | Number, exponent: Tensor | Number, *, out: Tensor | None = None
) -> Tensor:
    """Return `input ** exponent`, computed in float64 or complex128.

    `input` and `exponent`: shapes that broadcast, or a number for one of them; the type is
    promoted. Returns the common shape.

    >>> import seegrad as torch
    >>> torch.float_power(torch.tensor([1, 2]), 3)
    tensor([1., 8.], dtype=torch.float64)
    """
    if out is not None:
        return into(out, "float_power", float_power, input, exponent)
    if not (isinstance(input, TensorBase) or isinstance(exponent, TensorBase)):
        raise invalid_combination("float_power", input, exponent)
    wide = float_power_dtype(input, exponent)
    return pow(widened(input, wide), widened(exponent, wide))


def float_power_dtype(input: Any, exponent: Any) -> Any:
    """float64, or complex128 if one of two operands is complex."""
    is_complex = any(
        isinstance(x, complex) or (isinstance(x, TensorBase) and x.dtype.is_complex)
        for x in (input, exponent)
    )
    return complex128 if is_complex else float64


def widened(operand: Any, wide: Any) -> Any:
    """An operand of `float_power` in its dtype; a number as a float or a complex number."""
    if not isinstance(operand, TensorBase):
        return complex(operand) if wide is complex128 else float(operand)
    return operand if operand.dtype is wide else op.to_copy(operand, wide)
