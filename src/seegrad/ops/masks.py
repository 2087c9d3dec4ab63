"""Public functions of masks, and tables of vectors."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from seegrad.arrays.promotion import result_dtype
from seegrad.arrays.strides import element_strides, storage_offset
from seegrad.graph.state import recording
from seegrad.graph.tensor import TensorBase, wrap
from seegrad.operators.recording import recorded as op
from seegrad.ops.calls import public
from seegrad.ops.grids import common_shape
from seegrad.ops.out import into, need_alike
from seegrad.ops.views import as_strided

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

Number = bool | int | float | complex


def masked_fill(input: Tensor, mask: Tensor, value: Number | Tensor) -> Tensor:
    """Return a copy with one value where the mask is true.

    `input`: (...). `mask`: bool, a shape that broadcasts with it. `value`: a number or a 0-d
    tensor. Raises RuntimeError for another mask or value.

    >>> import seegrad as torch
    >>> torch.masked_fill(torch.tensor([1, 2]), torch.tensor([True, False]), 9)
    tensor([9, 2])
    """
    check_broadcast(input, mask)
    if isinstance(value, TensorBase):
        return op.masked_fill_tensor(input, mask, value)
    return op.masked_fill(input, mask, value)


def masked_fill_(input: Any, mask: Any, value: Any) -> Any:
    """`input.masked_fill_(mask, value)`."""
    check_broadcast(input, mask)
    if isinstance(value, TensorBase):
        return op.masked_fill_tensor_(input, mask, value)
    return op.masked_fill_(input, mask, value)


def check_broadcast(input: Any, mask: Any) -> None:
    """Raises where a mask and a tensor do not broadcast, the mask named first."""
    if input._array.shape != mask._array.shape:
        common_shape([mask._array.shape, input._array.shape])


@public
def masked_select(input: Tensor, mask: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the elements where the mask is true, as a vector.

    `input`: (...). `mask`: bool, a shape that broadcasts with it. Raises RuntimeError for another
    mask.

    >>> import seegrad as torch
    >>> torch.masked_select(torch.tensor([1, 2]), torch.tensor([True, False]))
    tensor([1])
    """
    check_broadcast(input, mask)
    if out is not None:
        need_alike(out, input, "masked_select(): self and result must have the same scalar type")
        return into(out, "masked_select", op.masked_select, input, mask, apart=True)
    return op.masked_select(input, mask)


@public
def masked_scatter(input: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    """Return a copy in which elements of `source`, in order, replace those under the mask.

    `input`: (...). `mask`: bool, a shape that broadcasts with it. `source`: at least as many
    elements as the mask lets in, else RuntimeError is raised.

    >>> import seegrad as torch
    >>> mask = torch.tensor([True, False, True])
    >>> torch.masked_scatter(torch.tensor([1, 2, 3]), mask, torch.tensor([8, 9]))
    tensor([8, 2, 9])
    """
    check_broadcast(input, mask)
    return op.masked_scatter(input, mask, source)


def fill(input: Tensor, value: Number | Tensor) -> Tensor:
    """Return a tensor like `input` with one value everywhere.

    `input`: (...). `value`: a number or a 0-d tensor.

    >>> import seegrad as torch
    >>> torch.fill(torch.tensor([1, 2]), 3)
    tensor([3, 3])
    """
    if isinstance(value, TensorBase):
        return op.fill_copy(input, value)
    return op.fill_copy_scalar(input, value)


def fill_(input: Any, value: Any) -> Any:
    """`input.fill_(value)`."""
    if isinstance(value, TensorBase):
        return op.fill_(input, value)
    return op.fill_scalar_(input, value)


def zero_(input: Any) -> Any:
    """`input.zero_()`."""
    return op.zero_(input)


def fill_diagonal_(input: Any, fill_value: Number, wrap: bool = False) -> Any:
    """`input.fill_diagonal_(fill_value)`; `wrap` goes on below where a matrix is tall."""
    sizes, strides = input._array.shape, element_strides(input._array)
    if len(sizes) < 2:
        raise RuntimeError("dimensions must larger than 1")
    if len(sizes) > 2 and len(set(sizes)) > 1:
        raise RuntimeError("all dimensions of input must be of equal length")
    start = storage_offset(input._array)
    for row in range(0, sizes[0], sizes[1] + 1) if wrap and len(sizes) == 2 else (0,):
        count = min(sizes[0] - row, *sizes[1:])
        fill_(as_strided(input, (count,), (sum(strides),), start + row * strides[0]), fill_value)
    return input


def copy_(input: Any, src: Any, non_blocking: bool = False) -> Any:
    """`input.copy_(src)`: the values of `src`, a tensor or a number, broadcast and cast."""
    if isinstance(src, bool | int | float | complex):
        src = wrap(np.asarray(src, result_dtype([src])))
    if not isinstance(src, TensorBase):
        raise TypeError(
            f"copy_(): argument 'other' (position 1) must be Tensor, not {type(src).__name__}"
        )
    return op.copy_(input, src, non_blocking)


@public
def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Tensor:
    """Return the rows of a table that integers name.

    `input`: int64 or int32, any shape. `weight`: (n, m). Returns (..., m). The row `padding_idx`
    gets no gradient; rows longer than `max_norm` are shortened in place first. Raises IndexError
    for an integer out of range.

    >>> import seegrad as torch
    >>> table = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> torch.nn.functional.embedding(torch.tensor([1, 0]), table)
    tensor([[3., 4.],
            [1., 2.]])
    """
    padding = -1
    if padding_idx is not None:
        rows = weight._array.shape[0]
        if not -rows <= padding_idx < rows:
            raise AssertionError("Padding_idx must be within num_embeddings")
        padding = padding_idx % rows
    if max_norm is not None:
        shorten_rows(weight, input, max_norm, norm_type)
    return op.embedding(weight, input, padding, scale_grad_by_freq, sparse)


def shorten_rows(weight: Any, indices: Any, max_norm: float, norm_type: float) -> None:
    """Scales the rows that are used and longer than `max_norm` down to it, in place."""
    table = weight._array
    if table.dtype.kind in "biu":
        raise RuntimeError(
            "norm(): input dtype should be either floating point or complex. Got "
            f"{weight.dtype.scalar_name} instead."
        )
    used = np.unique(indices._array)
    lengths = np.linalg.norm(np.abs(table[used]).astype(np.float64), norm_type, axis=1)
    for row, length in zip(used.tolist(), lengths.tolist(), strict=True):
        if length > max_norm:
            table[row] *= table.dtype.type(max_norm / (length + 1e-7))
    with recording(False):
        op.copy_(weight, wrap(table.copy()))


@public
def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    """Return for each integer a row of zeros with a one in its place.

    `tensor`: int64, any shape. Returns (..., num_classes), by default the largest plus one. Raises
    RuntimeError for an integer out of range.

    >>> import seegrad as torch
    >>> torch.nn.functional.one_hot(torch.tensor([0, 2]))
    tensor([[1, 0, 0],
            [0, 0, 1]])
    """
    return op.one_hot(tensor, num_classes)
