"""Public functions that choose, bound and blend elements."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from seegrad.arrays.limits import finfo
from seegrad.graph.tensor import TensorBase, wrap
from seegrad.operators.recording import recorded as op
from seegrad.operators.signatures import invalid_combination
from seegrad.ops.calls import public
from seegrad.ops.elementwise import fitted
from seegrad.ops.once import warn_once
from seegrad.ops.out import into, need_tensor

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

Number = bool | int | float | complex
BYTES = (
    "where received a uint8 condition tensor. This behavior is deprecated and will be removed in "
    "a future version of PyTorch. Use a boolean condition instead."
)


def clamp(
    input: Tensor,
    min: Tensor | Number | None = None,
    max: Tensor | Number | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Return the elements held within bounds; max wins where min is larger.

    `input`: (...). `min` and `max`: numbers, or tensors of shapes that broadcast. Returns the
    common shape. Raises RuntimeError where both bounds are None.

    >>> import seegrad as torch
    >>> torch.clamp(torch.tensor([-1.0, 0.5, 3.0]), 0, 1)
    tensor([0.0000, 0.5000, 1.0000])
    """
    if out is not None:
        return into(out, "clamp", clamp, input, min, max)
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    if not isinstance(min, TensorBase) and not isinstance(max, TensorBase):
        return op.clamp(_bounded(input, min, max), min, max)
    if min is None:
        return op.clamp_tensor_max(input, max)
    return op.clamp_tensor_min(input, min) if max is None else op.clamp_tensor(input, min, max)


clip = clamp


def clamp_in_place(input: Any, min: Any, max: Any) -> Any:
    """Input itself, held within bounds."""
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    if not isinstance(min, TensorBase) and not isinstance(max, TensorBase):
        return op.clamp_(input, min, max)
    if min is None:
        return op.clamp_tensor_max_(input, max)
    return op.clamp_tensor_min_(input, min) if max is None else op.clamp_tensor_(input, min, max)


def _bounded(input: Any, *bounds: Any) -> Any:
    """Input in a type that holds its bounds; bools count as integers."""
    for bound in bounds:
        if bound is not None:
            input = fitted(input, bound)
    return input


def clamp_min(input: Tensor, min: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Return the elements, none of them below a bound.

    `input`: (...). `min`: a number, or a tensor of a shape that broadcasts. Returns the common
    shape.

    >>> import seegrad as torch
    >>> torch.clamp_min(torch.tensor([-1.0, 0.5]), 0)
    tensor([0.0000, 0.5000])
    """
    if out is not None:
        return into(out, "clamp_min", clamp_min, input, min)
    if not isinstance(input, TensorBase):
        raise invalid_combination("clamp_min", input, min)
    if isinstance(min, TensorBase):
        return op.clamp_min_tensor(input, min)
    return op.clamp_min(_bounded(input, min), min)


def clamp_max(input: Tensor, max: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Return the elements, none of them above a bound.

    `input`: (...). `max`: a number, or a tensor of a shape that broadcasts. Returns the common
    shape.

    >>> import seegrad as torch
    >>> torch.clamp_max(torch.tensor([-1.0, 0.5]), 0)
    tensor([-1.,  0.])
    """
    if out is not None:
        return into(out, "clamp_max", clamp_max, input, max)
    if not isinstance(input, TensorBase):
        raise invalid_combination("clamp_max", input, max)
    if isinstance(max, TensorBase):
        return op.clamp_max_tensor(input, max)
    return op.clamp_max(_bounded(input, max), max)


def where(
    condition: Tensor, input: Any = None, other: Any = None, *, out: Tensor | None = None
) -> Any:
    """Return input where a condition holds and other elsewhere; alone, where it holds.

    `condition`: (...), bool. `input` and `other`: tensors of shapes that broadcast with it, or
    numbers. Returns the common shape; without them a tuple of indices, one tensor a dimension.
    Raises RuntimeError for a condition that is not bool.

    >>> import seegrad as torch
    >>> torch.where(torch.tensor([True, False]), torch.tensor([1.0, 2.0]), 0)
    tensor([1., 0.])
    """
    need_tensor("where", "condition", 1, condition)
    if input is None and other is None:
        return tuple(wrap(indices) for indices in np.nonzero(np.atleast_1d(condition._array)))
    if condition._array.dtype.char == "B":
        warn_once(BYTES)
    return (
        op.where(condition, input, other)
        if out is None
        else into(out, "where", op.where, condition, input, other)
    )


@public
def nan_to_num(
    input: Tensor,
    nan: float | None = None,
    posinf: float | None = None,
    neginf: float | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Return the elements with NaN replaced by zero and infinities by the largest numbers.

    `input`: (...). `nan`, `posinf` and `neginf`: other replacements. Returns (...).

    >>> import seegrad as torch
    >>> torch.nan_to_num(torch.tensor([float('nan'), 1.0]))
    tensor([0., 1.])
    """
    posinf, neginf = infinities(input, posinf, neginf)
    if out is not None:
        return into(out, "nan_to_num", op.nan_to_num, input, nan, posinf, neginf)
    return op.nan_to_num(input, nan, posinf, neginf)


def infinities(
    input: Any, posinf: float | None, neginf: float | None
) -> tuple[float | None, float | None]:
    """What replaces infinities; kernels do not know the limits of half precision."""
    if not input.dtype.is_floating_point or input.dtype.itemsize > 2:
        return posinf, neginf
    limit = finfo(input.dtype).max
    return limit if posinf is None else posinf, -limit if neginf is None else neginf


def lerp(
    input: Tensor, end: Tensor, weight: Tensor | float, *, out: Tensor | None = None
) -> Tensor:
    """Return `input + weight * (end - input)`, a point on the way from input to end.

    `input`, `end` and `weight`: floating point or complex, one type, shapes that broadcast;
    weight may be a number. Returns the common shape. Raises RuntimeError for different types.

    >>> import seegrad as torch
    >>> torch.lerp(torch.tensor([0.0, 1.0]), torch.tensor([10.0, 3.0]), 0.5)
    tensor([5., 2.])
    """
    for name, one in (("end", end), ("weight", weight)):
        if isinstance(one, TensorBase) and one.dtype is not input.dtype:
            raise RuntimeError(
                f"expected dtype {_c_name(input)} for `{name}` but got dtype {_c_name(one)}"
            )
    function = op.lerp if isinstance(weight, TensorBase) else op.lerp_scalar
    if out is not None:
        return into(out, "lerp", function, input, end, weight)
    return function(input, end, weight)


def _c_name(one: Any) -> str:
    """How an error of lerp names a type: as C++ does."""
    return _C_NAMES.get(one.dtype.name, one.dtype.scalar_name.lower())


_C_NAMES = {
    "int64": "long int",
    "int16": "short int",
    "int8": "signed char",
    "uint8": "unsigned char",
    "float16": "c10::Half",
    "bfloat16": "c10::BFloat16",
    "complex64": "c10::complex<float>",
    "complex128": "c10::complex<double>",
}


def addcmul(
    input: Tensor,
    tensor1: Tensor,
    tensor2: Tensor,
    *,
    value: Number = 1,
    out: Tensor | None = None,
) -> Tensor:
    """Return `input + value * tensor1 * tensor2`.

    `input`, `tensor1` and `tensor2`: shapes that broadcast; the type is promoted. Returns the
    common shape.

    >>> import seegrad as torch
    >>> torch.addcmul(torch.tensor([1.0]), torch.tensor([2.0]), torch.tensor([3.0]), value=0.5)
    tensor([4.])
    """
    return (
        op.addcmul(input, tensor1, tensor2, value)
        if out is None
        else into(out, "addcmul", op.addcmul, input, tensor1, tensor2, value)
    )


def addcdiv(
    input: Tensor,
    tensor1: Tensor,
    tensor2: Tensor,
    *,
    value: Number = 1,
    out: Tensor | None = None,
) -> Tensor:
    """Return `input + value * tensor1 / tensor2`.

    `input`, `tensor1` and `tensor2`: shapes that broadcast; the type is promoted. Returns the
    common shape. Raises RuntimeError for integers.

    >>> import seegrad as torch
    >>> torch.addcdiv(torch.tensor([1.0]), torch.tensor([2.0]), torch.tensor([4.0]), value=0.5)
    tensor([1.2500])
    """
    return (
        op.addcdiv(input, tensor1, tensor2, value)
        if out is None
        else into(out, "addcdiv", op.addcdiv, input, tensor1, tensor2, value)
    )
