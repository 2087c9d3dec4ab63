"""Public functions that look at the same memory in another way."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import TYPE_CHECKING, Any

from seegrad.arrays.strides import element_strides
from seegrad.arrays.strides import storage_offset as offset_of
from seegrad.arrays.views import infer_size
from seegrad.arrays.views import view as viewed
from seegrad.arrays.views import view_dtype as bytes_as
from seegrad.graph.tensor import wrap
from seegrad.graph.views import from_base
from seegrad.operators.recording import recorded as op
from seegrad.ops.calls import public
from seegrad.ops.dims import wrap_dim
from seegrad.ops.once import warn_once

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

Sizes = Sequence[int]


def int_tuple(numbers: Any) -> tuple[int, ...]:
    """A tuple of plain ints out of one int, or a sequence of what counts as an int."""
    if hasattr(numbers, "__iter__") and getattr(numbers, "ndim", 1) != 0:
        return tuple([one if one.__class__ is int else index(one) for one in numbers])
    return (index(numbers),)


@public
def reshape(input: Tensor, shape: Sizes) -> Tensor:
    """Return the elements in another shape: a view where the memory allows it, else a copy.

    `input`: (...). `shape`: as many elements; one size may be -1. Raises RuntimeError where the
    numbers of elements differ.

    >>> import seegrad as torch
    >>> torch.reshape(torch.arange(6), (2, -1))
    tensor([[0, 1, 2],
            [3, 4, 5]])
    """
    size = int_tuple(shape)
    array = input._array
    if array.flags.c_contiguous:
        return op.view(input, size)
    size = infer_size(size, array.size)
    try:
        viewed(array, size)
    except RuntimeError:
        return op.unsafe_view(op.clone(input, "contiguous"), size)
    return op.reshape_alias(input, size)


def view_dtype(input: Any, dtype: Any) -> Any:
    """`input.view(dtype)`: the same bytes as another type; nothing differentiates it."""
    return wrap(bytes_as(input._array, dtype.numpy))


@public
def transpose(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """Return a view with two dimensions swapped.

    `input`: (...). Raises IndexError for a dimension out of range.

    >>> import seegrad as torch
    >>> torch.transpose(torch.zeros(2, 3), 0, 1).shape
    torch.Size([3, 2])
    """
    return op.transpose(input, dim0, dim1)


swapaxes = transpose
swapdims = transpose


@public
def t(input: Tensor) -> Tensor:
    """Return the transpose of a matrix, a view; a vector or a 0-d tensor as it is.

    `input`: (n, m). Raises RuntimeError for more than two dimensions.

    >>> import seegrad as torch
    >>> torch.t(torch.tensor([[1, 2], [3, 4]]))
    tensor([[1, 3],
            [2, 4]])
    """
    return op.t(input)


@public
def permute(input: Tensor, dims: Sizes) -> Tensor:
    """Return a view with the dimensions in another order.

    `input`: (...). `dims`: each dimension once. Raises RuntimeError where one is missing or twice.

    >>> import seegrad as torch
    >>> torch.permute(torch.zeros(2, 3, 4), (2, 0, 1)).shape
    torch.Size([4, 2, 3])
    """
    return op.permute(input, int_tuple(dims))


def reversed_dims(input: Any) -> Any:
    """`input.T`: all dimensions in reverse order."""
    ndim = input._array.ndim
    if ndim == 2:
        return op.permute(input, (1, 0))
    if ndim != 1:
        warn_once(_T_OF_SCALAR if not ndim else _T_OF_BATCH)
    return op.permute(input, tuple(range(ndim - 1, -1, -1)))


_T_OF_SCALAR = (
    "Tensor.T is deprecated on 0-D tensors. This function is the identity in these cases."
)
_T_OF_BATCH = (
    "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is deprecated "
    "and it will throw an error in a future release. Consider `x.mT` to transpose batches of "
    "matrices or `x.permute(*torch.arange(x.ndim - 1, -1, -1))` to reverse the dimensions of a "
    "tensor."
)


def matrix_transpose(input: Any, name: str = "tensor.mT") -> Any:
    """`input.mT`: the last two dimensions swapped."""
    ndim = input._array.ndim
    if ndim == 0:
        advice = "Consider using x.conj()." if name == "tensor.mH" else (
            "This function is the identity in these cases."
        )  # fmt: skip
        warn_once(f"T{name[1:]} is deprecated on 0-D tensors. {advice}")
        return op.permute(input, ())
    if ndim == 1:
        raise RuntimeError(
            f"{name} is only supported on matrices or batches of matrices. Got 1-D tensor."
        )
    return op.transpose(input, -2, -1)


@public
def adjoint(input: Tensor) -> Tensor:
    """Return the conjugate transpose of matrices.

    `input`: (..., n, m). Returns (..., m, n); of real matrices a view. Raises RuntimeError for a
    vector.

    >>> import seegrad as torch
    >>> torch.adjoint(torch.tensor([[1j, 2]]))
    tensor([[0.-1.j],
            [2.-0.j]])
    """
    turned = matrix_transpose(input, "tensor.adjoint()")
    return op.conj(turned) if input._array.dtype.kind == "c" else turned


def matrix_adjoint(input: Any) -> Any:
    """`input.mH`: the conjugate transpose of batches of matrices."""
    turned = matrix_transpose(input, "tensor.mH")
    return op.conj(turned) if input._array.dtype.kind == "c" else turned


def hermitian(input: Any) -> Any:
    """`input.H`: the conjugate transpose of one matrix."""
    ndim = input._array.ndim
    if ndim == 0:
        warn_once("Tensor.H is deprecated on 0-D tensors. Consider using x.conj().")
    elif ndim != 2:
        more = " For batches of matrices, consider using tensor.mH" if ndim > 2 else ""
        raise RuntimeError(
            f"tensor.H is only supported on matrices (2-D tensors). Got {ndim}-D tensor.{more}"
        )
    turned = op.transpose(input, 0, 1) if ndim else input
    return op.conj(turned) if input._array.dtype.kind == "c" else turned


def movedim(input: Tensor, source: int | Sizes, destination: int | Sizes) -> Tensor:
    """Return a view in which dimensions have moved, the others keep their order.

    `input`: (...). `source` and `destination`: as many dimensions each. Raises RuntimeError where
    one is named twice.

    >>> import seegrad as torch
    >>> torch.movedim(torch.zeros(2, 3, 4), 0, 2).shape
    torch.Size([3, 4, 2])
    """
    sources, targets = int_tuple(source), int_tuple(destination)
    if len(sources) != len(targets):
        raise RuntimeError(
            f"movedim: Invalid source or destination dims: source ({list(sources)} dims) should "
            f"contain the same number of dims as destination ({list(targets)} dims)"
        )
    ndim = input._array.ndim
    old = tuple(wrap_dim(dim, ndim) for dim in sources)
    new = tuple(wrap_dim(dim, ndim) for dim in targets)
    for name, dims, given in (("source", old, sources), ("destination", new, targets)):
        if len(set(dims)) != len(dims):
            raise RuntimeError(f"movedim: repeated dim in `{name}` ({list(given)})")
    rest = [dim for dim in range(ndim) if dim not in old]
    moved = dict(zip(new, old, strict=True))
    order = tuple(moved[dim] if dim in moved else rest.pop(0) for dim in range(ndim))
    return op.permute(input, order)


moveaxis = movedim


def expand(input: Any, size: tuple[int, ...]) -> Any:
    """`input.expand(size)`: dimensions of size 1 repeated without copying."""
    return op.expand(input, size)


@public
def broadcast_to(input: Tensor, size: Sizes) -> Tensor:
    """Return a view broadcast to a shape.

    `input`: a shape that broadcasts to `size`. Raises RuntimeError where it does not.

    >>> import seegrad as torch
    >>> torch.broadcast_to(torch.tensor([1, 2]), (2, 2))
    tensor([[1, 2],
            [1, 2]])
    """
    return op.expand(input, int_tuple(size))


@public
def unsqueeze(input: Tensor, dim: int) -> Tensor:
    """Return a view with a dimension of size 1 put in.

    `input`: (...). `dim`: its place in the result. Raises IndexError where it is out of range.

    >>> import seegrad as torch
    >>> torch.unsqueeze(torch.tensor([1, 2]), 1)
    tensor([[1],
            [2]])
    """
    return op.unsqueeze(input, dim)


@public
def squeeze(input: Tensor, dim: int | Sizes | None = None) -> Tensor:
    """Return a view without dimensions of size 1: all of them, or those named.

    `input`: (...). Raises IndexError for a dimension out of range.

    >>> import seegrad as torch
    >>> torch.squeeze(torch.zeros(1, 2, 1), 0).shape
    torch.Size([2, 1])
    """
    if dim is None:
        return op.squeeze(input)
    if isinstance(dim, int):
        return op.squeeze_dim(input, dim)
    return op.squeeze_dims(input, int_tuple(dim))


@public
def select(input: Tensor, dim: int, index: int) -> Tensor:
    """Return one slice of a dimension, a view without that dimension.

    `input`: (..., n, ...). Raises IndexError where `index` or `dim` is out of range.

    >>> import seegrad as torch
    >>> torch.select(torch.tensor([[1, 2], [3, 4]]), 1, 0)
    tensor([1, 3])
    """
    return op.select(input, dim, int_tuple(index)[0])


@public
def narrow(input: Tensor, dim: int, start: int | Tensor, length: int) -> Tensor:
    """Return the `length` slices of a dimension from `start` on, a view.

    `input`: (..., n, ...). Raises RuntimeError where they are not all there.

    >>> import seegrad as torch
    >>> torch.narrow(torch.arange(5), 0, 1, 3)
    tensor([1, 2, 3])
    """
    if not input._array.ndim:
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    array = getattr(start, "_array", None)
    if array is not None and (array.ndim or array.dtype.kind not in "iu"):
        raise RuntimeError("start must be an 0-dim integral Tensor.")
    first = index(start)
    size = input._array.shape[wrap_dim(dim, input._array.ndim)]
    if length < 0:
        raise RuntimeError("narrow(): length must be non-negative.")
    if not -size <= first <= size:
        raise IndexError(
            f"start out of range (expected to be in range of [{-size}, {size}], but got {first})"
        )
    first = first + size if first < 0 else first
    if first + length > size:
        raise RuntimeError(f"start ({first}) + length ({length}) exceeds dimension size ({size}).")
    return op.slice(input, dim, first, first + length, 1)


@public
def diagonal(input: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    """Return the diagonal of two dimensions, a view with that diagonal as last dimension.

    `input`: at least two dimensions. Raises RuntimeError where both are the same.

    >>> import seegrad as torch
    >>> torch.diagonal(torch.tensor([[1, 2], [3, 4]]))
    tensor([1, 4])
    """
    return op.diagonal(input, offset, dim1, dim2)


def unfold(input: Any, dimension: int, size: int, step: int) -> Any:
    """`input.unfold(dimension, size, step)`: all windows of a dimension."""
    return op.unfold(input, dimension, size, step)


@public
def as_strided(
    input: Tensor, size: Sizes, stride: Sizes, storage_offset: int | None = None
) -> Tensor:
    """Return any view of the memory of `input`; strides and offset count elements.

    `size` and `stride`: as many numbers each. Raises RuntimeError where the view would leave the
    memory.

    >>> import seegrad as torch
    >>> torch.as_strided(torch.arange(4), (2, 2), (1, 1))
    tensor([[0, 1],
            [1, 2]])
    """
    array = input._array
    places = element_strides(array), offset_of(array)
    out = op.as_strided(input, int_tuple(size), int_tuple(stride), storage_offset, *places)
    if out._view is not None:
        from_base(out._view)
    return out


@public
def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """Return the tensor with a run of dimensions joined to one: a view where that is possible.

    `input`: (...). Raises RuntimeError where `start_dim` comes after `end_dim`.

    >>> import seegrad as torch
    >>> torch.flatten(torch.zeros(2, 3, 4), 1).shape
    torch.Size([2, 12])
    """
    shape = input._array.shape
    first, last = wrap_dim(start_dim, len(shape)), wrap_dim(end_dim, len(shape))
    if first > last:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    if not shape:
        return reshape(input, (1,))
    if first == last:
        return input
    joined = 1
    for size in shape[first : last + 1]:
        joined *= size
    return reshape(input, (*shape[:first], joined, *shape[last + 1 :]))


@public
def ravel(input: Tensor) -> Tensor:
    """Return the elements as one vector: a view where that is possible.

    `input`: (...).

    >>> import seegrad as torch
    >>> torch.ravel(torch.tensor([[1, 2], [3, 4]]))
    tensor([1, 2, 3, 4])
    """
    if input._array.flags.c_contiguous:
        return op.view(input, (-1,))
    return op.view(op.clone(input, "contiguous"), (-1,))


@public
def unflatten(input: Tensor, dim: int, sizes: Sizes) -> Tensor:
    """Return a view with one dimension split into several.

    `input`: (..., n, ...). `sizes`: their product is n; one may be -1. Raises RuntimeError where
    it is not.

    >>> import seegrad as torch
    >>> torch.unflatten(torch.zeros(2, 6), 1, (3, -1)).shape
    torch.Size([2, 3, 2])
    """
    shape = input._array.shape
    if not hasattr(sizes, "__iter__"):
        raise TypeError(
            "unflatten(): argument 'sizes' (position 3) must be tuple of ints, not "
            f"{type(sizes).__name__}"
        )
    axis, parts = wrap_dim(dim, len(shape)), int_tuple(sizes)
    if not parts:
        raise RuntimeError("unflatten: sizes must be non-empty")
    if not shape:
        raise RuntimeError(
            "unflatten got an unexpected error:\n"
            f"Dimension specified as {dim} but tensor has no dimensions"
        )
    try:
        parts = infer_size(parts, shape[axis])
    except RuntimeError as error:
        if "is invalid for input" not in str(error):
            raise RuntimeError(f"unflatten got an unexpected error:\n{error}") from None
        raise RuntimeError(
            f"unflatten: Provided sizes {list(parts)} don't multiply up to the size of dim {axis} "
            f"({shape[axis]}) in the input tensor"
        ) from None
    return op.view(input, (*shape[:axis], *parts, *shape[axis + 1 :]))
