"""Public functions that pick, write and add where integers point."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from seegrad.arrays.refusals import need_kind
from seegrad.graph.saved import stale
from seegrad.graph.state import is_recording
from seegrad.graph.tensor import TensorBase, requires, wrap
from seegrad.graph.versions import is_inference
from seegrad.operators.recording import recorded as op
from seegrad.ops.calls import public
from seegrad.ops.dims import wrap_dim
from seegrad.ops.once import warn_once
from seegrad.ops.out import into, need_alike
from seegrad.ops.views import reshape

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

Number = bool | int | float | complex


class Indices(tuple[Any, ...]):
    """The index tensors of one call with their versions; kernels call `check` before they read.

    So backward refuses an index that was written to since, as it does for saved operands.
    """

    versions: tuple[int | None, ...]

    def replaced(self, place: int, index: Any) -> Indices:
        """The same with another index in one place, whose writes nobody looks for."""
        made = Indices((*self[:place], index, *self[place + 1 :]))
        made.versions = (*self.versions[:place], None, *self.versions[place + 1 :])
        return made

    def check(self) -> None:
        """Raises RuntimeError where an index was written to."""
        for one, version in zip(self, self.versions, strict=True):
            if version is not None and one._counter.value != version:
                stale(one, version, None)


def versioned(input: Any, indices: Sequence[Any]) -> Indices:
    """The index tensors as they are now; saved where `input` is recorded."""
    made = Indices(indices)
    free = not (is_recording() and requires(input)) or is_inference(input)
    made.versions = tuple(
        [
            None if one is None or (free and is_inference(one)) else one._counter.value
            for one in made
        ]
    )
    return made


def index_put(
    input: Tensor, indices: Sequence[Tensor], values: Tensor, accumulate: bool = False
) -> Tensor:
    """Return a copy with values written, or added, where index tensors point.

    `input`: (...). `indices`: int64 or bool tensors, one for each dimension. `values`: a shape
    that broadcasts to what they pick. Of values written to one place the last stays, and it alone
    gets a gradient. Raises RuntimeError where shapes or types differ, IndexError out of range.

    >>> import seegrad as torch
    >>> torch.index_put(torch.zeros(3), (torch.tensor([0, 2]),), torch.tensor([1.0, 2.0]))
    tensor([1., 0., 2.])
    """
    return op.index_put(input, versioned(input, indices), values, accumulate)


def index_put_(input: Any, indices: Sequence[Any], values: Any, accumulate: bool = False) -> Any:
    """`input.index_put_(indices, values)`."""
    return op.index_put_(input, versioned(input, indices), values, accumulate)


@public
def gather(
    input: Tensor,
    dim: int,
    index: Tensor,
    *,
    sparse_grad: bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """Return for each element of `index` the element in that place of a dimension.

    `input`: (...). `index`: int64, as many dimensions, not larger but along `dim`. Returns the
    shape of `index`. Raises RuntimeError where it points outside.

    >>> import seegrad as torch
    >>> torch.gather(torch.tensor([[1, 2], [3, 4]]), 1, torch.tensor([[1], [0]]))
    tensor([[2],
            [3]])
    """
    if out is not None:
        return into(out, "gather", op.gather, input, dim, index, exact=True, apart=True)
    return op.gather(input, dim, index)


_WITH_TENSOR = (
    "The reduce argument of torch.scatter with Tensor src is deprecated and will be removed in a "
    "future PyTorch release. Use torch.scatter_reduce instead for more reduction options."
)
REDUCTIONS = {"add": "sum", "multiply": "prod"}


def scattered(twin: str, input: Any, dim: int, index: Any, src: Any, reduce: str | None) -> Any:
    """`scatter` of a tensor or a number, in place where `twin` is "_"."""
    if reduce is not None:
        if reduce not in REDUCTIONS:
            raise RuntimeError("reduce argument must be either add or multiply.")
        if isinstance(src, TensorBase):
            warn_once(_WITH_TENSOR)
        else:
            src = wrap(np.full(index._array.shape, src, input._array.dtype))
        function = getattr(op, "scatter_reduce" + twin)
        return function(input, dim, index, fitted(src, index), REDUCTIONS[reduce], True)
    if isinstance(src, TensorBase):
        return getattr(op, "scatter" + twin)(input, dim, index, fitted(src, index))
    if src is None:
        raise TypeError(f'scatter{twin}() missing 1 required positional arguments: "src"')
    return getattr(op, "scatter_value" + twin)(input, dim, index, src)


def fitted(src: Any, index: Any) -> Any:
    """The corner of `src` that an index of a smaller shape uses."""
    shape, wanted = src._array.shape, index._array.shape
    if shape == wanted or len(shape) != len(wanted):
        return src
    if any(needed > size for size, needed in zip(shape, wanted, strict=True)):
        return src  # the kernel says what is wrong
    for dim, (size, needed) in enumerate(zip(shape, wanted, strict=True)):
        if needed < size:
            src = op.slice(src, dim, 0, needed, 1)
    return src


@public
def scatter(
    input: Tensor,
    dim: int,
    index: Tensor,
    src: Tensor | Number | None = None,
    *,
    value: Number | None = None,
    reduce: str | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Return a copy with elements of `src` written where `index` points along a dimension.

    `input`: (...). `index`: int64, as many dimensions, not larger than `src` nor, but along `dim`,
    than `input`. `src`: a tensor, or one number. `reduce`: 'add' or 'multiply' instead of writing.
    Of elements written to one place the last stays, and it alone gets a gradient. Raises
    RuntimeError where shapes or types do not fit.

    >>> import seegrad as torch
    >>> torch.scatter(torch.zeros(3), 0, torch.tensor([2]), torch.tensor([5.0]))
    tensor([0., 0., 5.])
    """
    given = value if src is None else src
    if out is not None:
        return into(out, "scatter", scattered, "", input, dim, index, given, reduce)
    return scattered("", input, dim, index, given, reduce)


def scatter_(
    input: Any,
    dim: int,
    index: Any,
    src: Any = None,
    *,
    value: Any = None,
    reduce: str | None = None,
) -> Any:
    """`input.scatter_(dim, index, src)`."""
    return scattered("_", input, dim, index, value if src is None else src, reduce)


@public
def scatter_add(
    input: Tensor, dim: int, index: Tensor, src: Tensor, *, out: Tensor | None = None
) -> Tensor:
    """Return a copy with elements of `src` added where `index` points along a dimension.

    `input`: (...). `index`: int64, as many dimensions, not larger than `src` nor, but along `dim`,
    than `input`. Raises RuntimeError where shapes or types do not fit.

    >>> import seegrad as torch
    >>> torch.scatter_add(torch.zeros(2), 0, torch.tensor([1, 1]), torch.tensor([1.0, 2.0]))
    tensor([0., 3.])
    """
    part = fitted(src, index)
    if out is not None:
        return into(out, "scatter_add", op.scatter_add, input, dim, index, part)
    return op.scatter_add(input, dim, index, part)


def scatter_add_(input: Any, dim: int, index: Any, src: Any) -> Any:
    """`input.scatter_add_(dim, index, src)`."""
    return op.scatter_add_(input, dim, index, fitted(src, index))


@public
def scatter_reduce(
    input: Tensor,
    dim: int,
    index: Tensor,
    src: Tensor,
    reduce: str,
    *,
    include_self: bool = True,
    out: Tensor | None = None,
) -> Tensor:
    """Return a copy with elements of `src` reduced into where `index` points along a dimension.

    `input`: (...). `index` and `src`: as for `scatter_add`. `reduce`: 'sum', 'prod', 'mean',
    'amax' or 'amin'; without `include_self` what was there does not count. Raises RuntimeError
    for another reduction.

    >>> import seegrad as torch
    >>> index, src = torch.tensor([1, 1]), torch.tensor([1.0, 2.0])
    >>> torch.scatter_reduce(torch.zeros(2), 0, index, src, 'amax')
    tensor([0., 2.])
    """
    _need_reducible(input, reduce)
    arguments = (input, dim, index, fitted(src, index), reduce, include_self)
    if out is not None:
        return into(out, "scatter_reduce", op.scatter_reduce, *arguments)
    return op.scatter_reduce(*arguments)


def _need_reducible(input: Any, reduce: str) -> None:
    """Refuses means of bools and extremes of complex numbers."""
    kinds = {"mean": "b", "amax": "c", "amin": "c"}.get(reduce, "")
    need_kind(input._array.dtype, f"scatter_gather_tensor_cpu_reduce_{reduce}", kinds)


def scatter_reduce_(
    input: Any, dim: int, index: Any, src: Any, reduce: str, *, include_self: bool = True
) -> Any:
    """`input.scatter_reduce_(dim, index, src, reduce)`."""
    _need_reducible(input, reduce)
    return op.scatter_reduce_(input, dim, index, fitted(src, index), reduce, include_self)


@public
def index_select(input: Tensor, dim: int, index: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return a copy of the slices of a dimension that a vector of integers names.

    `input`: (..., n, ...). `index`: (m,) int64. Returns (..., m, ...). Raises IndexError where it
    points outside.

    >>> import seegrad as torch
    >>> torch.index_select(torch.tensor([1, 2, 3]), 0, torch.tensor([2, 0]))
    tensor([3, 1])
    """
    if out is not None:
        need_alike(out, input, "index_select(): self and result must have the same scalar type")
        return into(out, "index_select", op.index_select, input, dim, index)
    return op.index_select(input, dim, index)


@public
def index_add(
    input: Tensor,
    dim: int,
    index: Tensor,
    source: Tensor,
    *,
    alpha: Number = 1,
    out: Tensor | None = None,
) -> Tensor:
    """Return a copy with `alpha` times slices of `source` added to the slices `index` names.

    `input`: (..., n, ...). `index`: (m,) int64. `source`: (..., m, ...). Raises RuntimeError where
    shapes or types differ.

    >>> import seegrad as torch
    >>> torch.index_add(torch.zeros(2), 0, torch.tensor([1, 1]), torch.tensor([1.0, 2.0]))
    tensor([0., 3.])
    """
    if out is not None:
        return into(out, "index_add", op.index_add, input, dim, index, source, alpha)
    return op.index_add(input, dim, index, source, alpha)


def index_add_(input: Any, dim: int, index: Any, source: Any, *, alpha: Any = 1) -> Any:
    """`input.index_add_(dim, index, source)`."""
    return op.index_add_(input, dim, index, source, alpha)


@public
def index_copy(input: Tensor, dim: int, index: Tensor, source: Tensor) -> Tensor:
    """Return a copy with slices of `source` written to the slices that `index` names.

    `input`: (..., n, ...). `index`: (m,) int64. `source`: (..., m, ...). Of slices written to one
    place the last stays, and it alone gets a gradient. Raises RuntimeError or IndexError where
    shapes or types differ.

    >>> import seegrad as torch
    >>> torch.index_copy(torch.zeros(3), 0, torch.tensor([2]), torch.tensor([5.0]))
    tensor([0., 0., 5.])
    """
    return op.index_copy(input, dim, index, source)


def _need_vector(index: Any) -> None:
    if index._array.ndim > 1:
        raise RuntimeError("Index has to be a vector/scalar")


@public
def index_fill(input: Tensor, dim: int, index: Tensor, value: Number | Tensor) -> Tensor:
    """Return a copy with one value in the slices that `index` names.

    `input`: (..., n, ...). `index`: (m,) int64. `value`: a number or a 0-d tensor. Raises
    IndexError where the index points outside.

    >>> import seegrad as torch
    >>> torch.index_fill(torch.zeros(3), 0, torch.tensor([0, 2]), 7)
    tensor([7., 0., 7.])
    """
    _need_vector(index)
    if isinstance(value, TensorBase):
        return op.index_fill_tensor(input, dim, index, value)
    return op.index_fill(input, dim, index, value)


def index_fill_(input: Any, dim: int, index: Any, value: Any) -> Any:
    """`input.index_fill_(dim, index, value)`."""
    _need_vector(index)
    if isinstance(value, TensorBase):
        return op.index_fill_tensor_(input, dim, index, value)
    return op.index_fill_(input, dim, index, value)


@public
def take(input: Tensor, index: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return elements of the flattened tensor.

    `input`: (...). `index`: int64, any shape, which the result has. Raises IndexError where it
    points outside.

    >>> import seegrad as torch
    >>> torch.take(torch.tensor([[1, 2], [3, 4]]), torch.tensor([0, 3]))
    tensor([1, 4])
    """
    if out is not None:
        text = (
            "take(): self and out expected to have the same dtype, but got self.dtype = "
            f"{input.dtype.scalar_name} and out.dtype = {out.dtype.scalar_name}"
        )
        need_alike(out, input, text)
        return into(out, "take", op.take, input, index, apart=True)
    return op.take(input, index)


def put(input: Tensor, index: Tensor, source: Tensor, accumulate: bool = False) -> Tensor:
    """Return a copy with elements written, or added, at places of the flattened tensor.

    `input`: (...). `index`: int64, any shape. `source`: as many elements. Raises IndexError where
    the index points outside.

    >>> import seegrad as torch
    >>> torch.put(torch.zeros(2, 2), torch.tensor([3]), torch.tensor([9.0]))
    tensor([[0., 0.],
            [0., 9.]])
    """
    return op.put(input, index, source, accumulate)


@public
def take_along_dim(
    input: Tensor, indices: Tensor, dim: int | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Return `gather` after broadcasting; of the flattened tensor where no dimension is given.

    `input` and `indices`: shapes that broadcast but for `dim`. Raises RuntimeError where they do
    not.

    >>> import seegrad as torch
    >>> torch.take_along_dim(torch.tensor([[3, 1], [2, 4]]), torch.tensor([[1], [0]]), 1)
    tensor([[1],
            [2]])
    """
    if out is not None:
        return into(out, "take_along_dim", take_along_dim, input, indices, dim)
    if indices._array.dtype != np.int64:
        raise RuntimeError(
            "torch.take_along_dim(): dtype of indices should be Long but got "
            f"{indices.dtype.scalar_name}"
        )
    if dim is None:
        return op.gather(reshape(input, (-1,)), 0, reshape(indices, (-1,)))
    left, right = input._array.shape, indices._array.shape
    if len(left) != len(right):
        raise RuntimeError(
            "torch.take_along_dim(): input and indices should have the same number of dimensions, "
            f"but got {len(left)} dimensions for input, and {len(right)} dimensions for indices"
        )
    axis = wrap_dim(dim, len(left))
    common = [max(pair) if 0 not in pair else 0 for pair in zip(left, right, strict=True)]
    wide = tuple(left[axis] if place == axis else n for place, n in enumerate(common))
    tall = tuple(right[axis] if place == axis else n for place, n in enumerate(common))
    places = op.expand(indices, tall)
    if (places._array < 0).any():  # counted from the end
        places = op.where(op.lt(places, 0), op.add(places, left[axis]), places)
    return op.gather(op.expand(input, wide), axis, places)


@public
def index_reduce(
    input: Tensor,
    dim: int,
    index: Tensor,
    source: Tensor,
    reduce: str,
    *,
    include_self: bool = True,
) -> Tensor:
    """Return a copy with slices of `source` reduced into the slices that `index` names.

    `input`: (..., n, ...). `index`: (m,) int64. `source`: (..., m, ...). `reduce`: 'prod', 'mean',
    'amax' or 'amin'. Raises RuntimeError for another reduction.

    >>> import seegrad as torch
    >>> import warnings; warnings.simplefilter("ignore")
    >>> index, source = torch.tensor([1, 1]), torch.tensor([2.0, 3.0])
    >>> torch.index_reduce(torch.ones(2), 0, index, source, 'prod')
    tensor([1., 6.])
    """
    _need_kernel(input, reduce, include_self)
    axis, places = slices_of(input, dim, index, source, reduce)
    return op.index_reduce(input, axis, places, source, reduce, include_self)


def index_reduce_(
    input: Any, dim: int, index: Any, source: Any, reduce: str, *, include_self: bool = True
) -> Any:
    """`input.index_reduce_(dim, index, source, reduce)`."""
    _need_kernel(input, reduce, include_self)
    axis, places = slices_of(input, dim, index, source, reduce)
    return op.index_reduce_(input, axis, places, source, reduce, include_self)


def _need_kernel(input: Any, reduce: str, include_self: bool) -> None:
    """Refuses bools and complex numbers."""
    kind = input._array.dtype
    if not include_self:
        need_kind(kind, "index_reduce_func_exclude_input_init", "bc")
    elif input._array.ndim < 2:
        need_kind(kind, "index_func_", "bc")
    else:
        kernels = {"amax": "maximum_cpu", "amin": "minimum_cpu", "mean": "div_floor_cpu"}
        need_kind(kind, kernels.get(reduce, ""), {"prod": "", "mean": "b"}.get(reduce, "c"))


def slices_of(input: Any, dim: int, index: Any, source: Any, reduce: str) -> tuple[int, Any]:
    """The dimension of an `index_reduce`, and its index for each element of `source`."""
    warn_once("index_reduce() is in beta and the API may change at any time.")
    if reduce not in ("prod", "mean", "amax", "amin"):
        raise RuntimeError(
            "index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got "
            f"{reduce}."
        )
    axis = wrap_dim(dim, input._array.ndim)
    if not input._array.ndim:
        return axis, reshape(index, ())
    lead = (1,) * axis + (-1,) + (1,) * (input._array.ndim - axis - 1)
    places = op.expand(reshape(index, lead), source._array.shape)
    return axis, places
