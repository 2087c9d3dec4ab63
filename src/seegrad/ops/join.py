"""Public functions that join tensors and take them apart."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from seegrad.arrays.dtypes import from_numpy, get_default_dtype
from seegrad.arrays.promotion import can_cast, result_dtype
from seegrad.graph.tensor import TensorBase, wrap
from seegrad.operators.recording import recorded as op
from seegrad.operators.signatures import invalid_combination
from seegrad.ops.calls import public
from seegrad.ops.dims import wrap_dim
from seegrad.ops.out import into
from seegrad.ops.views import int_tuple, reshape

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

Tensors = Sequence["Tensor"]


def tensor_list(name: str, tensors: Any) -> list[Any]:
    """A list of tensors, checked."""
    if isinstance(tensors, TensorBase) or not hasattr(tensors, "__iter__"):
        raise TypeError(
            f"{name}(): argument 'tensors' (position 1) must be tuple of Tensors, "
            f"not {type(tensors).__name__}"
        )
    found = list(tensors)
    for place, one in enumerate(found):
        if not isinstance(one, TensorBase):
            raise TypeError(
                f"expected Tensor as element {place} in argument 0, but got {type(one).__name__}"
            )
    return found


@public
def cat(tensors: Tensors, dim: int = 0, *, out: Tensor | None = None) -> Tensor:
    """Return tensors one after the other along a dimension that they have.

    `tensors`: equal shapes but for `dim`; empty vectors are left out; types are promoted. Raises
    RuntimeError where shapes do not fit, ValueError where there is none.

    >>> import seegrad as torch
    >>> torch.cat((torch.tensor([1, 2]), torch.tensor([3])))
    tensor([1, 2, 3])
    """
    found = tensor_list("cat", tensors)
    return op.cat(found, dim) if out is None else joined_into(out, "cat", op.cat, found, dim)


def joined_into(out: Any, name: str, function: Any, tensors: list[Any], dim: int) -> Any:
    """Tensors joined in another one, whose type holds theirs."""
    held = from_numpy(result_dtype([one._array for one in tensors]))
    if not can_cast(held, out.dtype):
        raise TypeError(
            "torch.cat(): input types can't be cast to the desired output type "
            f"{out.dtype.scalar_name}"
        )
    return into(out, name, function, tensors, dim)


concat = concatenate = cat


@public
def stack(tensors: Tensors, dim: int = 0, *, out: Tensor | None = None) -> Tensor:
    """Return tensors side by side along a new dimension.

    `tensors`: equal shapes; types are promoted. Raises RuntimeError where shapes differ.

    >>> import seegrad as torch
    >>> torch.stack((torch.tensor([1, 2]), torch.tensor([3, 4])), 1)
    tensor([[1, 3],
            [2, 4]])
    """
    found = tensor_list("stack", tensors)
    if out is not None:
        return joined_into(out, "stack", op.stack, found, dim)
    return op.stack(found, dim)


def at_least(input: Any, ndim: int) -> Any:
    """`input` with dimensions of size 1 added as `atleast_2d` and `atleast_3d` do."""
    while input._array.ndim < ndim:
        input = op.unsqueeze(input, -1 if input._array.ndim == 2 else 0)
    return input


def each_at_least(tensors: tuple[Any, ...], ndim: int) -> Any:
    """One tensor, or a tuple of those that were given."""
    if len(tensors) == 1 and not isinstance(tensors[0], TensorBase):
        return tuple(at_least(one, ndim) for one in tensors[0])
    made = tuple(at_least(one, ndim) for one in tensors)
    return made[0] if len(made) == 1 else made


def atleast_1d(*tensors: Any) -> Any:
    """Return tensors with at least one dimension; one tensor, or a tuple for several.

    >>> import seegrad as torch
    >>> torch.atleast_1d(torch.tensor(1))
    tensor([1])
    """
    return each_at_least(tensors, 1)


def atleast_2d(*tensors: Any) -> Any:
    """Return tensors with at least two dimensions; one tensor, or a tuple for several.

    >>> import seegrad as torch
    >>> torch.atleast_2d(torch.tensor([1, 2]))
    tensor([[1, 2]])
    """
    return each_at_least(tensors, 2)


def atleast_3d(*tensors: Any) -> Any:
    """Return tensors with at least three dimensions; one tensor, or a tuple for several.

    >>> import seegrad as torch
    >>> torch.atleast_3d(torch.tensor([1, 2])).shape
    torch.Size([1, 2, 1])
    """
    return each_at_least(tensors, 3)


def hstack(tensors: Tensors, *, out: Tensor | None = None) -> Tensor:
    """Return tensors side by side: along dimension 1, vectors along their only one.

    Raises RuntimeError where shapes do not fit.

    >>> import seegrad as torch
    >>> torch.hstack((torch.tensor([1, 2]), torch.tensor([3])))
    tensor([1, 2, 3])
    """
    if not len(tensors):
        raise RuntimeError("hstack expects a non-empty TensorList")
    found = [at_least(one, 1) for one in tensor_list("hstack", tensors)]
    return cat(found, 0 if found[0].ndim == 1 else 1, out=out)


def vstack(tensors: Tensors, *, out: Tensor | None = None) -> Tensor:
    """Return tensors on top of each other: along dimension 0, a vector is a row.

    Raises RuntimeError where shapes do not fit.

    >>> import seegrad as torch
    >>> torch.vstack((torch.tensor([1, 2]), torch.tensor([3, 4])))
    tensor([[1, 2],
            [3, 4]])
    """
    if not len(tensors):
        raise RuntimeError("vstack expects a non-empty TensorList")
    return cat([at_least(one, 2) for one in tensor_list("vstack", tensors)], 0, out=out)


row_stack = vstack


def dstack(tensors: Tensors, *, out: Tensor | None = None) -> Tensor:
    """Return tensors behind each other: along dimension 2.

    Raises RuntimeError where shapes do not fit.

    >>> import seegrad as torch
    >>> torch.dstack((torch.tensor([1, 2]), torch.tensor([3, 4])))
    tensor([[[1, 3],
             [2, 4]]])
    """
    if not len(tensors):
        raise RuntimeError("dstack expects a non-empty TensorList")
    return cat([at_least(one, 3) for one in tensor_list("dstack", tensors)], 2, out=out)


def column_stack(tensors: Tensors, *, out: Tensor | None = None) -> Tensor:
    """Return tensors as columns side by side; a vector is one column.

    Raises RuntimeError where shapes do not fit.

    >>> import seegrad as torch
    >>> torch.column_stack((torch.tensor([1, 2]), torch.tensor([3, 4])))
    tensor([[1, 3],
            [2, 4]])
    """
    if not len(tensors):
        raise RuntimeError("column_stack expects a non-empty TensorList")
    found = tensor_list("column_stack", tensors)
    columns = [reshape(one, (one._array.size, 1)) if one.ndim < 2 else one for one in found]
    return hstack(columns, out=out)


def block_diag(*tensors: Tensor) -> Tensor:
    """Return a matrix with matrices along its diagonal, zeros elsewhere.

    `tensors`: (n, m) each; vectors are rows, 0-d tensors are (1, 1). Raises RuntimeError for more
    dimensions.

    >>> import seegrad as torch
    >>> torch.block_diag(torch.tensor([[1, 2]]), torch.tensor([[3]]))
    tensor([[1, 2, 0],
            [0, 0, 3]])
    """
    if not tensors:
        return wrap(np.zeros((1, 0), get_default_dtype().numpy))
    for place, one in enumerate(tensors):
        if one.ndim > 2:
            raise RuntimeError(
                "torch.block_diag: Input tensors must have 2 or fewer dimensions. "
                f"Input {place} has {one.ndim} dimensions"
            )
    return op.block_diag([at_least(one, 2) for one in tensors])


@public
def split(
    tensor: Tensor, split_size_or_sections: int | Sequence[int], dim: int = 0
) -> tuple[Tensor, ...]:
    """Return views of pieces: of one size, where the last may be smaller, or of the sizes given.

    `tensor`: (..., n, ...). Raises RuntimeError where given sizes do not add up to n.

    >>> import seegrad as torch
    >>> torch.split(torch.arange(5), 2)
    (tensor([0, 1]), tensor([2, 3]), tensor([4]))
    """
    if isinstance(split_size_or_sections, int):
        return op.split(tensor, split_size_or_sections, dim)
    if hasattr(split_size_or_sections, "__index__") and not getattr(
        split_size_or_sections, "ndim", 0
    ):
        return op.split(tensor, operator.index(split_size_or_sections), dim)
    if not hasattr(split_size_or_sections, "__iter__"):
        raise TypeError(
            "split_with_sizes(): argument 'split_sizes' (position 2) must be tuple of ints, "
            f"not {type(split_size_or_sections).__name__}"
        )
    return op.split_with_sizes(tensor, int_tuple(split_size_or_sections), dim)


@public
def chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """Return views of at most `chunks` pieces of equal size, the last may be smaller.

    `input`: (..., n, ...). Raises RuntimeError where `chunks` is not positive.

    >>> import seegrad as torch
    >>> torch.chunk(torch.arange(5), 2)
    (tensor([0, 1, 2]), tensor([3, 4]))
    """
    return chunked(input, chunks, dim, op.split, op.split_with_sizes)


def chunked(input: Any, chunks: int, dim: int, split: Any, split_with_sizes: Any) -> Any:
    """`chunk` by these two operators."""
    if not input._array.ndim:
        raise RuntimeError("chunk expects at least a 1-dimensional tensor")
    if chunks <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    total = input._array.shape[wrap_dim(dim, input._array.ndim)]
    if not total:
        return split_with_sizes(input, (0,) * chunks, dim)
    return split(input, -(-total // chunks), dim)


@public
def unsafe_split(tensor: Tensor, split_size: int, dim: int = 0) -> tuple[Tensor, ...]:
    """Return pieces as `split` does that may be written to, although there are several.

    They share the memory of `tensor`, but a write to one is not counted for the others: a wrong
    gradient goes unnoticed where one of these was saved.

    >>> import seegrad as torch
    >>> first, second = torch.unsafe_split(torch.ones(2, requires_grad=True) * 3, 1)
    >>> first.mul_(second)
    tensor([9.], grad_fn=<MulBackward0>)
    """
    return op.unsafe_split(tensor, split_size, dim)


@public
def unsafe_split_with_sizes(
    input: Tensor, split_sizes: Sequence[int], dim: int = 0
) -> tuple[Tensor, ...]:
    """Return pieces of the sizes given, as `unsafe_split` does.

    >>> import seegrad as torch
    >>> torch.unsafe_split_with_sizes(torch.arange(3), (1, 2))
    (tensor([0]), tensor([1, 2]))
    """
    return op.unsafe_split_with_sizes(input, int_tuple(split_sizes), dim)


@public
def unsafe_chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """Return at most `chunks` pieces of equal size, as `unsafe_split` does.

    >>> import seegrad as torch
    >>> torch.unsafe_chunk(torch.arange(3), 2)
    (tensor([0, 1]), tensor([2]))
    """
    return chunked(input, chunks, dim, op.unsafe_split, op.unsafe_split_with_sizes)


@public
def unbind(input: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    """Return views of the slices of a dimension, one by one.

    `input`: (..., n, ...). Raises IndexError for a 0-d tensor.

    >>> import seegrad as torch
    >>> torch.unbind(torch.tensor([[1, 2], [3, 4]]))
    (tensor([1, 2]), tensor([3, 4]))
    """
    return op.unbind(input, dim)


@public
def tensor_split(
    input: Tensor, indices_or_sections: int | Sequence[int] | Tensor, dim: int = 0
) -> tuple[Tensor, ...]:
    """Return views of so many pieces of nearly equal size, or of pieces cut at the places given.

    `input`: (..., n, ...). Raises RuntimeError where there is no dimension or no piece.

    >>> import seegrad as torch
    >>> torch.tensor_split(torch.arange(5), 2)
    (tensor([0, 1, 2]), tensor([3, 4]))
    """
    if not input._array.ndim:
        raise RuntimeError(
            "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims"
        )
    total = input._array.shape[wrap_dim(dim, input._array.ndim)]
    where: Any = indices_or_sections
    if isinstance(where, TensorBase):
        where = _places(where)
    if isinstance(where, int):
        if where <= 0:
            raise RuntimeError(f"number of sections must be larger than 0, got {where}")
        size, longer = divmod(total, where)
        ends = [size * (n + 1) + min(n + 1, longer) for n in range(where)]
    else:
        ends = [*int_tuple(where), total]
    starts = [0, *ends[:-1]]
    return tuple(
        op.slice(input, dim, start, end, 1) for start, end in zip(starts, ends, strict=True)
    )


def _places(where: Any) -> Any:
    """The number or the list of numbers that a tensor of them holds."""
    if where.ndim > 1:
        raise RuntimeError(
            "tensor_split expected tensor_indices_or_sections to be a zero-dimensional or "
            f"one-dimensional tensor, but got a tensor with {where.ndim} dims"
        )
    if where._array.dtype.str[1:] != "i8":
        raise RuntimeError(
            "tensor_split expected tensor_indices_or_sections to have dtype of long, but got "
            f"{where.dtype.scalar_name}"
        )
    return where._array.tolist()


def split_evenly(name: str, input: Any, where: Any, dim: int, needed: int) -> Any:
    """What hsplit, vsplit and dsplit have in common."""
    if input._array.ndim < needed:
        raise RuntimeError(
            f"torch.{name} requires a tensor with at least {needed} dimension, but got a "
            f"tensor with {input._array.ndim} dimensions!"
        )
    size = input._array.shape[dim]
    if isinstance(where, int) and (not where or size % where):
        raise RuntimeError(
            f"torch.{name} attempted to split along dimension {dim}, but the size of the "
            f"dimension {size} is not divisible by the split_size {where}!"
        )
    return tensor_split(input, where, dim)


def hsplit(input: Tensor, indices_or_sections: int | Sequence[int]) -> tuple[Tensor, ...]:
    """Return views of pieces side by side: of dimension 1, of a vector along its only one.

    Raises RuntimeError where the size is not divisible by the number of pieces.

    >>> import seegrad as torch
    >>> torch.hsplit(torch.arange(4), 2)
    (tensor([0, 1]), tensor([2, 3]))
    """
    if isinstance(indices_or_sections, str):
        raise invalid_combination("hsplit", input, indices_or_sections)
    dim = 0 if input._array.ndim == 1 else 1
    return split_evenly("hsplit", input, indices_or_sections, dim, 1)


def vsplit(input: Tensor, indices_or_sections: int | Sequence[int]) -> tuple[Tensor, ...]:
    """Return views of pieces on top of each other: of dimension 0.

    Raises RuntimeError where the size is not divisible by the number of pieces.

    >>> import seegrad as torch
    >>> torch.vsplit(torch.tensor([[1], [2]]), 2)
    (tensor([[1]]), tensor([[2]]))
    """
    if isinstance(indices_or_sections, str):
        raise invalid_combination("vsplit", input, indices_or_sections)
    return split_evenly("vsplit", input, indices_or_sections, 0, 2)


def dsplit(input: Tensor, indices_or_sections: int | Sequence[int]) -> tuple[Tensor, ...]:
    """Return views of pieces behind each other: of dimension 2.

    Raises RuntimeError where the size is not divisible by the number of pieces.

    >>> import seegrad as torch
    >>> [one.shape for one in torch.dsplit(torch.zeros(1, 2, 4), 2)]
    [torch.Size([1, 2, 2]), torch.Size([1, 2, 2])]
    """
    return split_evenly("dsplit", input, indices_or_sections, 2, 3)
