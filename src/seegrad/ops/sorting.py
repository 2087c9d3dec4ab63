"""Public functions that order, pick the largest, count, search and find places."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from seegrad.arrays.dtypes import from_numpy
from seegrad.arrays.promotion import result_dtype
from seegrad.arrays.refusals import need_kind
from seegrad.graph.tensor import TensorBase, wrap
from seegrad.operators.recording import recorded as op
from seegrad.ops import return_types
from seegrad.ops.calls import public
from seegrad.ops.out import into

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

Number = bool | int | float


@public
def sort(
    input: Tensor,
    dim: int = -1,
    descending: bool = False,
    stable: bool | None = None,
    *,
    out: Any = None,
) -> return_types.sort:
    """Return the values in order along a dimension, and where they were.

    `input`: (...), not complex. Equal values keep their order, NaN counts as the largest. Returns
    (values, indices) of that shape.

    >>> import seegrad as torch
    >>> torch.sort(torch.tensor([3, 1, 2])).indices
    tensor([1, 2, 0])
    """
    function = op.sort if stable is None else op.sort_stable
    if out is not None:
        return return_types.sort(into(out, "sort", function, input, dim, descending))
    return return_types.sort(function(input, dim, descending))


@public
def argsort(
    input: Tensor, dim: int = -1, descending: bool = False, stable: bool = False
) -> Tensor:
    """Return where the values in order along a dimension were.

    `input`: (...), not complex. Returns int64 of that shape.

    >>> import seegrad as torch
    >>> torch.argsort(torch.tensor([3, 1, 2]))
    tensor([1, 2, 0])
    """
    return op.sort(input, dim, descending)[1]


@public
def msort(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the values in order along dimension 0.

    `input`: (n, ...), not complex.

    >>> import seegrad as torch
    >>> torch.msort(torch.tensor([3, 1, 2]))
    tensor([1, 2, 3])
    """
    if out is not None:
        return into(out, "msort", msort, input)
    return op.sort(input, 0, False)[0]


@public
def topk(
    input: Tensor,
    k: int,
    dim: int = -1,
    largest: bool = True,
    sorted: bool = True,
    *,
    out: Any = None,
) -> return_types.topk:
    """Return the `k` largest, or smallest, values along a dimension, and where they were.

    `input`: (..., n, ...), not complex. Returns (values, indices) of shape (..., k, ...), in
    order. Raises RuntimeError where there are fewer than `k`.

    >>> import seegrad as torch
    >>> torch.topk(torch.tensor([3, 1, 2]), 2).values
    tensor([3, 2])
    """
    if out is not None:
        return return_types.topk(into(out, "topk", op.topk, input, k, dim, largest, sorted))
    return return_types.topk(op.topk(input, k, dim, largest, sorted))


@public
def kthvalue(
    input: Tensor, k: int, dim: int = -1, keepdim: bool = False, *, out: Any = None
) -> return_types.kthvalue:
    """Return the `k`-th smallest value along a dimension, counted from 1, and where it was.

    `input`: (..., n, ...). Returns (values, indices) without that dimension, or with it as 1.
    Raises RuntimeError where there are fewer than `k`.

    >>> import seegrad as torch
    >>> torch.kthvalue(torch.tensor([3, 1, 2]), 2).values
    tensor(2)
    """
    if input._array.ndim:
        need_kind(input._array.dtype, "kthvalue_cpu", "bc")
    if out is not None:
        return return_types.kthvalue(
            into(out, "kthvalue", op.kthvalue, input, k, dim, keepdim, apart=True)
        )
    return return_types.kthvalue(op.kthvalue(input, k, dim, keepdim))


@public
def nonzero(input: Tensor, *, out: Tensor | None = None, as_tuple: bool = False) -> Any:
    """Return where the elements are that are not zero.

    `input`: (...). Returns int64 (number, dimensions), or with `as_tuple` one vector for each
    dimension, which can index.

    >>> import seegrad as torch
    >>> torch.nonzero(torch.tensor([0, 5, 0, 7]))
    tensor([[1],
            [3]])
    """
    if out is not None:
        return into(out, "nonzero", op.nonzero, input)
    if not as_tuple:
        return op.nonzero(input)
    array = input._array
    found = array.reshape(1) if not array.ndim else array
    return tuple(wrap(places.astype(np.int64)) for places in found.nonzero())


@public
def nonzero_static(input: Tensor, *, size: int, fill_value: int = -1) -> Tensor:
    """Return where the first `size` elements are that are not zero.

    `input`: (...). Returns int64 (size, dimensions), missing rows hold `fill_value`. Raises
    RuntimeError for a negative size.

    >>> import seegrad as torch
    >>> torch.nonzero_static(torch.tensor([0, 5, 0, 7]), size=3)
    tensor([[ 1],
            [ 3],
            [-1]])
    """
    if size < 0:
        raise RuntimeError("nonzero_static: 'size' must be an non-negative integer")
    found = op.nonzero(input)._array[:size]
    rows = np.full((size, input._array.ndim), fill_value, np.int64)
    rows[: len(found)] = found
    return wrap(rows)


@public
def argwhere(input: Tensor) -> Tensor:
    """Return where the elements are that are not zero.

    `input`: (...). Returns int64 (number, dimensions).

    >>> import seegrad as torch
    >>> torch.argwhere(torch.tensor([0, 5]))
    tensor([[1]])
    """
    return op.nonzero(input)


@public
def bincount(input: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    """Return how often each non-negative integer appears, or the sum of its weights.

    `input`: (n,) integers. `weights`: (n,). Returns the largest plus one, at least `minlength`
    numbers. Raises RuntimeError for a negative integer.

    >>> import seegrad as torch
    >>> torch.bincount(torch.tensor([0, 2, 2]))
    tensor([1, 0, 2])
    """
    return op.bincount(input, weights, minlength)


def searchsorted(
    sorted_sequence: Tensor,
    input: Tensor | Number,
    *,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Tensor | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Return where each value belongs in a sorted sequence, so that it stays sorted.

    `sorted_sequence`: (n,), or (..., n) beside `input` (..., m). `right`, or side 'right': after
    equal values, else before them. Returns int64 of the shape of `input`. Raises RuntimeError
    where shapes do not fit or both ways are asked for.

    >>> import seegrad as torch
    >>> torch.searchsorted(torch.tensor([1, 3, 5]), torch.tensor([3, 4]))
    tensor([1, 2])
    """
    if side not in (None, "left", "right"):
        raise RuntimeError(
            f"torch.searchsorted(): side can only be 'left' or 'right' but got {side}"
        )
    if side == "left" and right:
        raise RuntimeError(
            "torch.searchsorted(): side and right can't be set to opposites, got side of left "
            "while right was True"
        )
    sequence: Any = sorted_sequence
    if sorter is not None:
        _check_sorter(sequence, sorter)
        sequence = op.gather(sorted_sequence, -1, sorter)
    values: Any = input
    if not isinstance(input, TensorBase):
        values = wrap(np.asarray(input, sequence._array.dtype))
    _check_boundaries(sequence._array, values._array)
    if out is not None:
        _check_places(out, out_int32)
    found = op.searchsorted(sequence, values, right or side == "right")
    if out_int32:
        found = op.to_copy(found, np.dtype(np.int32))
    return found if out is None else into(out, "searchsorted", lambda: found)


def bucketize(
    input: Tensor | Number,
    boundaries: Tensor,
    *,
    out_int32: bool = False,
    right: bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """Return the number of the bucket between boundaries that each value falls into.

    `input`: (...). `boundaries`: (n,), in order. Returns int64 from 0 to n.

    >>> import seegrad as torch
    >>> torch.bucketize(torch.tensor([0.5, 1.5]), torch.tensor([1.0, 2.0]))
    tensor([0, 1])
    """
    if boundaries._array.ndim != 1:
        ndim = boundaries._array.ndim
        raise RuntimeError(f"boundaries tensor must be 1 dimension, but got dim({ndim})")
    return searchsorted(boundaries, input, out_int32=out_int32, right=right, out=out)


def _check_sorter(sequence: Any, sorter: Any) -> None:
    """Raise for what does not sort a sequence."""
    start, array = "torch.searchsorted():", sorter._array
    if array.shape != sequence._array.shape:
        raise RuntimeError(
            f"{start} boundary and sorter must have the same size, but got boundary tensor "
            f"{list(sequence._array.shape)}and got sorter tensor {list(array.shape)}"
        )
    if array.dtype != np.int64:
        name = sorter.dtype.scalar_name
        raise RuntimeError(f"{start} sorter must be a tensor of long dtype but got dtype {name}")
    if array.size and not 0 <= array.min() <= array.max() < array.shape[-1]:
        raise RuntimeError(f"{start} sorter index out of range")


def _check_boundaries(sequence: Any, values: Any) -> None:
    """Raise for boundaries that are no sequence, or no sequence for each row of values."""
    start = "torch.searchsorted():"
    if not sequence.ndim:
        raise RuntimeError(
            f"{start} boundaries tensor should have positive dimension, but got 0 dimension"
        )
    if not values.ndim and sequence.ndim > 1:
        raise RuntimeError(
            f"{start} input value can be a scalar only when boundaries tensor dimension is 1, but "
            f"we got boundaries tensor dim({sequence.ndim}) and input value's dim(0) numel(1)"
        )


def _check_places(out: Any, is_int32: bool) -> None:
    """Raise where `out` is not of the type of the result."""
    if out._array.dtype != (np.int32 if is_int32 else np.int64):
        raise RuntimeError(
            "torch.searchsorted(): output tensor's dtype is wrong, it can only be Int(int32) or "
            "Long(int64) depending on whether out_int32 flag is True, but we got output tensor's "
            f"dtype {out.dtype.scalar_name} and out_int32 flag is {is_int32}"
        )


def isin(
    elements: Tensor | Number,
    test_elements: Tensor | Number,
    *,
    assume_unique: bool = False,
    invert: bool = False,
) -> Tensor:
    """Return for each element whether it is among the others.

    `elements`: (...) or a number. `test_elements`: (...) or a number. Returns bool of the shape of
    `elements`.

    >>> import seegrad as torch
    >>> torch.isin(torch.tensor([1, 2]), torch.tensor([2, 3]))
    tensor([False,  True])
    """
    one, others = (
        value if isinstance(value, TensorBase) else wrap(np.asarray(value))
        for value in (elements, test_elements)
    )
    kind = from_numpy(result_dtype([one._array, others._array]))
    if kind.is_complex or kind.scalar_name == "Bool":
        raise RuntimeError(f"Unsupported input type encountered for isin(): {kind.scalar_name}")
    return op.isin(one, others, invert)


@public
def unique(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """Return the different values, in order; those of whole slices where a dimension is given.

    `input`: (...). With `return_inverse` also where each element went, with `return_counts` how
    often each value appears.

    >>> import seegrad as torch
    >>> torch.unique(torch.tensor([3, 1, 3]), return_counts=True)
    (tensor([1, 3]), tensor([1, 2]))
    """
    need_kind(input._array.dtype, "unique" if dim is None else "unique_dim", "c")
    found = op.unique(input) if dim is None else op.unique_dim(input, dim)
    values, inverse, counts = found
    return chosen(values, inverse if return_inverse else None, counts if return_counts else None)


@public
def unique_consecutive(
    input: Tensor,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """Return the values without immediate repetitions.

    `input`: (...). With `return_inverse` also where each element went, with `return_counts` the
    lengths of the runs.

    >>> import seegrad as torch
    >>> torch.unique_consecutive(torch.tensor([1, 1, 2, 1]))
    tensor([1, 2, 1])
    """
    flat = dim is None or input._array.ndim < 2
    need_kind(input._array.dtype, "unique" if flat else "unique_dim", "c")
    values, inverse, counts = op.unique_consecutive(input, dim)
    return chosen(values, inverse if return_inverse else None, counts if return_counts else None)


def chosen(values: Any, *extras: Any) -> Any:
    """The values alone, or a tuple with the extras that were asked for."""
    found = tuple(extra for extra in extras if extra is not None)
    return (values, *found) if found else values


def unravel_index(indices: Tensor, shape: int | tuple[int, ...]) -> tuple[Tensor, ...]:
    """Return the coordinates of places of a flattened tensor of this shape.

    `indices`: integers, any shape. Returns one int64 tensor of that shape for each dimension.
    Raises TypeError for another type, ValueError for a negative size.

    >>> import seegrad as torch
    >>> torch.unravel_index(torch.tensor(5), (2, 3))
    (tensor(1), tensor(2))
    """
    array = indices._array
    if array.dtype.kind not in "iu":
        raise TypeError(f"expected 'indices' to be integer dtype, but got {indices.dtype}")
    sizes = _shape_of(shape)
    places = np.empty((*array.shape, len(sizes)), np.int64)
    rest = array.astype(np.int64)
    for dim in reversed(range(len(sizes))):
        places[..., dim] = rest % sizes[dim]
        rest = rest // sizes[dim]
    return tuple(wrap(places[..., dim]) for dim in range(len(sizes)))


def _shape_of(shape: Any) -> tuple[int, ...]:
    """The sizes of a shape that is one number or several."""
    sizes = (shape,) if isinstance(shape, int) else shape
    if not isinstance(sizes, tuple | list):
        raise TypeError(f"expected 'shape' to be int or sequence of ints, but got {type(shape)}")
    for size in sizes:
        if not isinstance(size, int):
            raise TypeError(
                f"expected 'shape' sequence to only contain ints, but got {type(size)}"
            )
        if size < 0:
            raise ValueError(f"'shape' cannot have negative values, but got {tuple(sizes)}")
    if 0 in sizes:
        raise RuntimeError("ZeroDivisionError")
    return tuple(sizes)
