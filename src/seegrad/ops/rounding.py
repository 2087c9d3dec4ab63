"""Public functions of signs, rounding, and the larger or smaller of two."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from seegrad.arrays.refusals import need_kind
from seegrad.graph.tensor import TensorBase
from seegrad.operators.recording import recorded as op
from seegrad.operators.signatures import invalid_combination
from seegrad.ops.calls import public
from seegrad.ops.out import into, need_tensor, need_tensors

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

Number = bool | int | float | complex


def abs(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the absolute value.

    `input`: (...). Returns (...). Real where input is complex.

    >>> import seegrad as torch
    >>> torch.abs(torch.tensor([-1.5, 2.0]))
    tensor([1.5000, 2.0000])
    """
    return op.abs(input) if out is None else into(out, "abs", op.abs, input)


absolute = abs


def sign(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return -1, 0 or 1.

    `input`: (...). Returns (...). Raises NotImplementedError for complex numbers.

    >>> import seegrad as torch
    >>> torch.sign(torch.tensor([-1.5, 0.0, 2.0]))
    tensor([-1.,  0.,  1.])
    """
    return op.sign(input) if out is None else into(out, "sign", op.sign, input)


def sgn(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return `input / abs(input)`, and 0 at 0.

    `input`: (...). Returns (...).

    >>> import seegrad as torch
    >>> torch.sgn(torch.tensor([3 + 4j, 0j]))
    tensor([0.6000+0.8000j, 0.0000+0.0000j])
    """
    return op.sgn(input) if out is None else into(out, "sgn", op.sgn, input)


def floor(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the elements rounded down.

    `input`: (...). Returns (...). Raises NotImplementedError for complex numbers and bools.

    >>> import seegrad as torch
    >>> torch.floor(torch.tensor([-1.5, 1.5]))
    tensor([-2.,  1.])
    """
    return op.floor(input) if out is None else into(out, "floor", op.floor, input)


def ceil(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the elements rounded up.

    `input`: (...). Returns (...). Raises NotImplementedError for complex numbers and bools.

    >>> import seegrad as torch
    >>> torch.ceil(torch.tensor([-1.5, 1.5]))
    tensor([-1.,  2.])
    """
    return op.ceil(input) if out is None else into(out, "ceil", op.ceil, input)


def trunc(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the elements rounded towards zero.

    `input`: (...). Returns (...). Raises NotImplementedError for complex numbers and bools.

    >>> import seegrad as torch
    >>> torch.trunc(torch.tensor([-1.5, 1.5]))
    tensor([-1.,  1.])
    """
    return op.trunc(input) if out is None else into(out, "trunc", op.trunc, input)


fix = trunc


def round(input: Tensor, *, decimals: int | None = None, out: Tensor | None = None) -> Tensor:
    """Return the elements rounded to the nearest number, halves to even.

    `input`: (...). Returns (...). Raises NotImplementedError for complex numbers and bools.

    >>> import seegrad as torch
    >>> torch.round(torch.tensor([0.5, 1.5, 2.6]))
    tensor([0., 2., 3.])
    """
    if out is not None:
        return into(out, "round", _rounded, input, decimals)
    return _rounded(input, decimals)


def _rounded(input: Any, decimals: int | None) -> Any:
    if decimals is None:
        return op.round(input)
    if decimals == 0:
        need_kind(input._array.dtype, "round_vml_cpu", "uilb")
        return op.round(input)
    need_kind(input._array.dtype, "round_cpu", "uilb")
    return op.round_decimals(input, decimals)


def frac(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return what is after the point, with the element's sign.

    `input`: (...). Returns (...). Raises NotImplementedError for integers.

    >>> import seegrad as torch
    >>> torch.frac(torch.tensor([-1.5, 2.25]))
    tensor([-0.5000,  0.2500])
    """
    return op.frac(input) if out is None else into(out, "frac", op.frac, input)


def copysign(input: Tensor, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Return the sizes of input with the signs of other.

    `input` and `other`: shapes that broadcast, or a number for one of them; the type is
    promoted. Returns the common shape.

    >>> import seegrad as torch
    >>> torch.copysign(torch.tensor([1.0, -2.0]), -1)
    tensor([-1., -2.])
    """
    if not isinstance(input, TensorBase):
        raise invalid_combination("copysign", input, other)
    name = "copysign" if isinstance(other, TensorBase) else "copysign_scalar"
    function = getattr(op, name)
    return function(input, other) if out is None else into(out, "copysign", function, input, other)


@public
def heaviside(input: Tensor, values: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return 0 below zero, 1 above, and values at zero; it has no derivative.

    `input` and `values`: shapes that broadcast, one type. Returns the common shape. Raises
    RuntimeError for different types.

    >>> import seegrad as torch
    >>> torch.heaviside(torch.tensor([-1.0, 0.0, 2.0]), torch.tensor([0.5]))
    tensor([0.0000, 0.5000, 1.0000])
    """
    need_tensor("heaviside", "values", 2, values)
    if input._array.dtype != values._array.dtype:
        raise RuntimeError("heaviside is not yet implemented for tensors with different dtypes.")
    return (
        op.heaviside(input, values)
        if out is None
        else into(out, "heaviside", op.heaviside, input, values)
    )


def maximum(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the larger of two elements, NaN if one is; a tie shares the gradient.

    `input` and `other`: tensors of shapes that broadcast; the type is promoted. Returns the
    common shape. Raises TypeError where other is no tensor.

    >>> import seegrad as torch
    >>> torch.maximum(torch.tensor([1.0, 5.0]), torch.tensor([2.0, 3.0]))
    tensor([2., 5.])
    """
    need_tensors("maximum", input, other)
    return (
        op.maximum(input, other) if out is None else into(out, "maximum", op.maximum, input, other)
    )


def minimum(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the smaller of two elements, NaN if one is; a tie shares the gradient.

    `input` and `other`: tensors of shapes that broadcast; the type is promoted. Returns the
    common shape. Raises TypeError where other is no tensor.

    >>> import seegrad as torch
    >>> torch.minimum(torch.tensor([1.0, 5.0]), torch.tensor([2.0, 3.0]))
    tensor([1., 3.])
    """
    need_tensors("minimum", input, other)
    return (
        op.minimum(input, other) if out is None else into(out, "minimum", op.minimum, input, other)
    )


def fmax(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the larger of two elements; NaN counts as missing.

    `input` and `other`: tensors of shapes that broadcast; the type is promoted. Returns the
    common shape. Raises TypeError where other is no tensor.

    >>> import seegrad as torch
    >>> torch.fmax(torch.tensor([1.0, 5.0]), torch.tensor([2.0, 3.0]))
    tensor([2., 5.])
    """
    need_tensors("fmax", input, other)
    return op.fmax(input, other) if out is None else into(out, "fmax", op.fmax, input, other)


def fmin(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the smaller of two elements; NaN counts as missing.

    `input` and `other`: tensors of shapes that broadcast; the type is promoted. Returns the
    common shape. Raises TypeError where other is no tensor.

    >>> import seegrad as torch
    >>> torch.fmin(torch.tensor([1.0, 5.0]), torch.tensor([2.0, 3.0]))
    tensor([1., 3.])
    """
    need_tensors("fmin", input, other)
    return op.fmin(input, other) if out is None else into(out, "fmin", op.fmin, input, other)
