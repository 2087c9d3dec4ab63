"""Public functions that broadcast, and that combine all with all."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from seegrad.arrays.size import Size
from seegrad.graph.tensor import TensorBase, wrap
from seegrad.operators.recording import recorded as op
from seegrad.ops.calls import public
from seegrad.ops.dims import wrap_dim
from seegrad.ops.join import stack
from seegrad.ops.once import warn_once
from seegrad.ops.out import into
from seegrad.ops.views import int_tuple, reshape

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

Sizes = Sequence[int]


def broadcast_shapes(*shapes: int | Sizes) -> Size:
    """Return the shape that shapes broadcast to.

    Raises RuntimeError where they do not.

    >>> import seegrad as torch
    >>> torch.broadcast_shapes((2, 1), (3,))
    torch.Size([2, 3])
    """
    sizes = [int_tuple(shape) for shape in shapes]
    result = [1] * max((len(shape) for shape in sizes), default=0)
    for place, shape in enumerate(sizes):
        for back in range(1, len(shape) + 1):
            size = shape[-back]
            if size < 0:
                raise ValueError("Attempting to broadcast a dimension with negative length!")
            if size not in (1, result[-back]) and result[-back] != 1:
                raise RuntimeError(
                    f"Attempting to broadcast a dimension of length {size} at {-back}! "
                    f"Mismatching argument at index {place} had {shape}; but expected shape "
                    f"should be broadcastable to {result[-len(shape) :]}"
                )
            result[-back] = result[-back] if size == 1 else size
    return Size(result)


def common_shape(shapes: list[tuple[int, ...]]) -> tuple[int, ...]:
    """The shape that operands broadcast to, or the error of arithmetic."""
    first = shapes[0]
    for other in shapes[1:]:
        depth = max(len(first), len(other))
        one, two = (1,) * (depth - len(first)) + first, (1,) * (depth - len(other)) + other
        for dim in reversed(range(depth)):
            if one[dim] != two[dim] and 1 not in (one[dim], two[dim]):
                raise RuntimeError(
                    f"The size of tensor a ({one[dim]}) must match the size of tensor b "
                    f"({two[dim]}) at non-singleton dimension {dim}"
                )
        first = tuple(b if a == 1 else a for a, b in zip(one, two, strict=True))
    return first


def broadcast_tensors(*tensors: Any) -> tuple[Tensor, ...]:
    """Return views of all tensors in the shape that they broadcast to.

    Raises RuntimeError where they do not.

    >>> import seegrad as torch
    >>> [one.shape for one in torch.broadcast_tensors(torch.zeros(2, 1), torch.zeros(3))]
    [torch.Size([2, 3]), torch.Size([2, 3])]
    """
    found = tensors if not tensors or isinstance(tensors[0], TensorBase) else tuple(tensors[0])
    shape = common_shape([one._array.shape for one in found])
    return tuple(one if one._array.shape == shape else op.expand(one, shape) for one in found)


def meshgrid(*tensors: Any, indexing: str | None = None) -> tuple[Tensor, ...]:
    """Return the coordinates of a grid: one tensor for each vector, all of the grid's shape.

    `tensors`: (n,) each. `indexing`: 'ij' counts the first vector along dimension 0, 'xy' along
    dimension 1. Raises RuntimeError for more dimensions or mixed types.

    >>> import seegrad as torch
    >>> torch.meshgrid(torch.tensor([1, 2]), torch.tensor([3, 4]), indexing='ij')[0]
    tensor([[1, 1],
            [2, 2]])
    """
    found: list[Any] = list(
        tensors if not tensors or isinstance(tensors[0], TensorBase) else tensors[0]
    )
    if not found:
        raise RuntimeError("meshgrid expects a non-empty TensorList")
    if indexing is None:
        warn_once(
            "torch.meshgrid: in an upcoming release, it will be required to pass the indexing "
            "argument."
        )
    elif indexing not in ("ij", "xy"):
        raise RuntimeError(
            f'torch.meshgrid: indexing must be one of "xy" or "ij", but received: {indexing}'
        )
    for one in found:
        if one._array.ndim > 1:
            raise RuntimeError(
                f"torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: {one}"
            )
        if one._array.dtype != found[0]._array.dtype:
            raise RuntimeError("meshgrid expects all tensors to have the same dtype")
    swapped = indexing == "xy" and len(found) > 1
    if swapped:
        found[:2] = found[1::-1]
    shape = tuple(one._array.size for one in found)
    grids = [
        op.expand(
            op.view(one, (1,) * place + (-1,) + (1,) * (len(found) - place - 1))
            if one._array.flags.c_contiguous
            else reshape(one, (1,) * place + (-1,) + (1,) * (len(found) - place - 1)),
            shape,
        )
        for place, one in enumerate(found)
    ]
    if swapped:
        grids[:2] = grids[1::-1]
    return tuple(grids)


@public
def kron(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the Kronecker product: each element of `input` times the whole of `other`.

    `input`: (n, ...). `other`: (m, ...); missing dimensions count as 1. Returns (n * m, ...).

    >>> import seegrad as torch
    >>> torch.kron(torch.tensor([1, 10]), torch.tensor([1, 2]))
    tensor([ 1,  2, 10, 20])
    """
    if out is not None:
        return into(out, "kron", kron, input, other)
    ndim = max(input._array.ndim, other._array.ndim)
    left = (1,) * (ndim - input._array.ndim) + input._array.shape
    right = (1,) * (ndim - other._array.ndim) + other._array.shape
    wide = op.unsafe_view(input, tuple(n for size in left for n in (size, 1)))
    tall = op.unsafe_view(other, tuple(n for size in right for n in (1, size)))
    target = tuple(a * b for a, b in zip(left, right, strict=True))
    return op.unsafe_view(op.mul(wide, tall), target)


@public
def repeat_interleave(
    input: Tensor,
    repeats: int | Tensor | None = None,
    dim: int | None = None,
    *,
    output_size: int | None = None,
) -> Tensor:
    """Return the elements of a dimension, each repeated right after itself.

    `input`: (...). `repeats`: a number, or (n,) numbers for a dimension of size n. Without `dim`
    the tensor is flattened. Raises RuntimeError where sizes differ or numbers are negative.

    >>> import seegrad as torch
    >>> torch.repeat_interleave(torch.tensor([1, 2]), 2)
    tensor([1, 1, 2, 2])
    """
    if repeats is None:
        counts = input._array
        return wrap(np.repeat(np.arange(counts.size), counts))
    if dim is None:
        input, dim = reshape(input, (-1,)), 0
    if isinstance(repeats, int) or repeats._array.size == 1:
        return repeat_equally(input, int(repeats), dim)
    counts = repeats._array
    if counts.ndim != 1 or counts.size != input._array.shape[dim]:
        raise RuntimeError(
            "repeats must have the same size as input along dim, but got repeats.size(0) = "
            f"{counts.size} and input.size({dim}) = {input._array.shape[dim]}"
        )
    if counts.dtype.kind != "i":
        raise RuntimeError("repeats has to be Long or Int tensor")
    if counts.size and counts.min() < 0:
        raise RuntimeError("repeats can not be negative")
    places = wrap(np.repeat(np.arange(counts.size), counts))
    return op.index_select(input, dim, places)


def repeat_equally(input: Any, count: int, dim: int) -> Any:
    """Each slice of a dimension `count` times."""
    if count < 0:
        raise RuntimeError("Repeats must be non-negative")
    shape = input._array.shape
    axis = wrap_dim(dim, len(shape))
    if not shape:
        input, shape = op.unsqueeze(input, 0), (1,)
    mixed = (*shape[: axis + 1], count, *shape[axis + 1 :])
    copied = op.clone(op.expand(op.unsqueeze(input, axis + 1), mixed), "contiguous")
    return op.view(copied, (*shape[:axis], shape[axis] * count, *shape[axis + 1 :]))


def cartesian_prod(*tensors: Tensor) -> Tensor:
    """Return all combinations of elements, one of each vector, as rows.

    `tensors`: (n,) each. Returns (product of n, number of tensors); of one vector itself.

    >>> import seegrad as torch
    >>> torch.cartesian_prod(torch.tensor([1, 2]), torch.tensor([3]))
    tensor([[1, 3],
            [2, 3]])
    """
    for one in tensors:
        if one._array.ndim != 1:
            raise RuntimeError(f"Expect a 1D vector, but got shape {list(one._array.shape)}")
    if len(tensors) == 1:
        return tensors[0]
    return stack([reshape(one, (-1,)) for one in meshgrid(*tensors, indexing="ij")], 1)


@public
def combinations(input: Tensor, r: int = 2, with_replacement: bool = False) -> Tensor:
    """Return all ways to take `r` elements of a vector, in order, as rows.

    `input`: (n,). Raises RuntimeError for other numbers of dimensions.

    >>> import seegrad as torch
    >>> torch.combinations(torch.tensor([1, 2, 3]))
    tensor([[1, 2],
            [1, 3],
            [2, 3]])
    """
    array = input._array
    if array.ndim != 1:
        raise RuntimeError(f"Expect a 1D vector, but got shape {list(array.shape)}")
    if r < 0:
        raise RuntimeError(f"Expect a non-negative number, but got {r}")
    if r == 0:
        return wrap(np.zeros(0, array.dtype))
    places = np.indices((array.size,) * r)
    mask = np.ones((array.size,) * r, np.bool_)
    for one, two in pairwise(places):
        mask &= one <= two if with_replacement else one < two
    grids = meshgrid(*[input] * r, indexing="ij")
    return stack([op.masked_select(grid, wrap(mask)) for grid in grids], 1)
