"""Public functions that copy into another shape: repeating, turning, padding, triangles."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from seegrad.graph.tensor import wrap
from seegrad.operators.recording import recorded as op
from seegrad.ops.calls import public
from seegrad.ops.out import into
from seegrad.ops.views import int_tuple, reshape

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

Sizes = Sequence[int]


@public
def clone(input: Tensor, *, memory_format: Any = None) -> Tensor:
    """Return a copy that the gradient flows through.

    `input`: (...). A dense tensor keeps its strides unless `memory_format` is
    `torch.contiguous_format`.

    >>> import seegrad as torch
    >>> torch.clone(torch.tensor([1, 2]))
    tensor([1, 2])
    """
    if memory_format is not None and "contiguous" in str(memory_format):
        return op.clone(input, "contiguous")
    return op.clone(input)


def contiguous(input: Any) -> Any:
    """`input.contiguous()`: itself where its memory is in order, else a copy."""
    return input if input._array.flags.c_contiguous else op.clone(input, "contiguous")


def repeat(input: Any, repeats: tuple[int, ...]) -> Any:
    """`input.repeat(...)`: the tensor tiled."""
    return op.repeat(input, repeats)


@public
def tile(input: Tensor, dims: Sizes) -> Tensor:
    """Return the tensor repeated so many times along each dimension, counted from the last.

    `input`: (...). `dims`: numbers of copies; fewer than dimensions leave the first ones alone.

    >>> import seegrad as torch
    >>> torch.tile(torch.tensor([1, 2]), (2, 2))
    tensor([[1, 2, 1, 2],
            [1, 2, 1, 2]])
    """
    counts = int_tuple(dims)
    return op.repeat(input, (1,) * (input._array.ndim - len(counts)) + counts)


@public
def flip(input: Tensor, dims: int | Sizes) -> Tensor:
    """Return a copy in which the order of some dimensions is reversed.

    `input`: (...). Raises RuntimeError where a dimension is named twice.

    >>> import seegrad as torch
    >>> torch.flip(torch.tensor([[1, 2], [3, 4]]), (0,))
    tensor([[3, 4],
            [1, 2]])
    """
    return op.flip(input, int_tuple(dims))


@public
def fliplr(input: Tensor) -> Tensor:
    """Return a copy with the columns in reverse order.

    `input`: at least two dimensions, else RuntimeError is raised.

    >>> import seegrad as torch
    >>> torch.fliplr(torch.tensor([[1, 2]]))
    tensor([[2, 1]])
    """
    if input._array.ndim < 2:
        raise RuntimeError("Input must be >= 2-d.")
    return op.flip(input, (1,))


@public
def flipud(input: Tensor) -> Tensor:
    """Return a copy with the rows in reverse order.

    `input`: at least one dimension, else RuntimeError is raised.

    >>> import seegrad as torch
    >>> torch.flipud(torch.tensor([1, 2]))
    tensor([2, 1])
    """
    if input._array.ndim < 1:
        raise RuntimeError("Input must be >= 1-d.")
    return op.flip(input, (0,))


def roll(input: Tensor, shifts: int | Sizes, dims: int | Sizes | None = None) -> Tensor:
    """Return a copy whose elements have moved on, those at the end to the beginning.

    `input`: (...). Without `dims` the flattened tensor rolls. Raises RuntimeError where there are
    not as many shifts as dimensions.

    >>> import seegrad as torch
    >>> torch.roll(torch.tensor([1, 2, 3]), 1)
    tensor([3, 1, 2])
    """
    return op.roll(input, int_tuple(shifts), () if dims is None else int_tuple(dims))


@public
def rot90(input: Tensor, k: int = 1, dims: Sizes = (0, 1)) -> Tensor:
    """Return a copy turned by `k` quarters in the plane of two dimensions.

    `input`: at least two dimensions. Raises RuntimeError where `dims` are not two different ones.

    >>> import seegrad as torch
    >>> torch.rot90(torch.tensor([[1, 2], [3, 4]]))
    tensor([[2, 4],
            [1, 3]])
    """
    return op.rot90(input, k, int_tuple(dims))


@public
def tril(input: Tensor, diagonal: int = 0, *, out: Tensor | None = None) -> Tensor:
    """Return the part on and below a diagonal of matrices, zeros elsewhere.

    `input`: (..., n, m). Raises RuntimeError for fewer dimensions.

    >>> import seegrad as torch
    >>> torch.tril(torch.tensor([[1, 2], [3, 4]]))
    tensor([[1, 0],
            [3, 4]])
    """
    return op.tril(input, diagonal) if out is None else into(out, "tril", op.tril, input, diagonal)


@public
def triu(input: Tensor, diagonal: int = 0, *, out: Tensor | None = None) -> Tensor:
    """Return the part on and above a diagonal of matrices, zeros elsewhere.

    `input`: (..., n, m). Raises RuntimeError for fewer dimensions.

    >>> import seegrad as torch
    >>> torch.triu(torch.tensor([[1, 2], [3, 4]]))
    tensor([[1, 2],
            [0, 4]])
    """
    return op.triu(input, diagonal) if out is None else into(out, "triu", op.triu, input, diagonal)


@public
def diag(input: Tensor, diagonal: int = 0, *, out: Tensor | None = None) -> Tensor:
    """Return the matrix with this diagonal, or the diagonal of a matrix, as a copy.

    `input`: (n,) or (n, m). Raises RuntimeError for other numbers of dimensions.

    >>> import seegrad as torch
    >>> torch.diag(torch.tensor([1, 2]))
    tensor([[1, 0],
            [0, 2]])
    """
    if out is not None:
        return into(out, "diag", diag, input, diagonal)
    ndim = input._array.ndim
    if ndim == 1:
        return op.diag_embed(input, diagonal)
    if ndim == 2:
        return op.diagonal_copy(input, diagonal)
    raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {ndim}D")


@public
def diag_embed(input: Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """Return matrices whose diagonals are the last dimension of `input`, zeros elsewhere.

    `input`: (..., n). Raises RuntimeError where both dimensions are the same.

    >>> import seegrad as torch
    >>> torch.diag_embed(torch.tensor([[1, 2]])).shape
    torch.Size([1, 2, 2])
    """
    return op.diag_embed(input, offset, dim1, dim2)


@public
def diagflat(input: Tensor, offset: int = 0) -> Tensor:
    """Return the matrix whose diagonal holds all elements of `input`.

    `input`: (...).

    >>> import seegrad as torch
    >>> torch.diagflat(torch.tensor([[1, 2]]))
    tensor([[1, 0],
            [0, 2]])
    """
    return op.diag_embed(reshape(input, (-1,)), offset)


@public
def trace(input: Tensor) -> Tensor:
    """Return the sum of the diagonal of a matrix.

    `input`: (n, m). Raises RuntimeError for other numbers of dimensions.

    >>> import seegrad as torch
    >>> torch.trace(torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
    tensor(5.)
    """
    return op.trace(input)


PADDINGS = {"reflect": "reflection_pad", "replicate": "replication_pad"}


def pad(input: Tensor, pad: Sizes, mode: str = "constant", value: float | None = None) -> Tensor:
    """Return the tensor with margins around its last dimensions.

    `input`: (...). `pad`: (low, high) of the last dimension, then of the one before it ...;
    negative margins cut. `mode`: 'constant', 'reflect', 'replicate' or 'circular'. Raises
    RuntimeError where the margins do not fit, NotImplementedError for another mode.

    >>> import seegrad as torch
    >>> torch.nn.functional.pad(torch.tensor([1.0, 2.0]), (1, 2))
    tensor([0., 1., 2., 0., 0.])
    """
    margins = int_tuple(pad)
    if mode == "constant":
        return op.constant_pad_nd(input, margins, 0.0 if value is None else value)
    if value not in (None, 0):
        raise ValueError(f'Padding mode "{mode}" doesn\'t take in value argument')
    if mode not in ("reflect", "replicate", "circular"):
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    ndim, dims = input._array.ndim, len(margins) // 2
    if len(margins) % 2 or not 1 <= dims <= 3 or ndim not in (dims + 1, dims + 2):
        raise NotImplementedError(
            f"Padding size {len(margins)} is not supported for {ndim}D input tensor.\n"
            "Supported combinations for non-constant padding:\n"
            "  - 2D or 3D input: padding size = 2 (pads last dimension)\n"
            "  - 3D or 4D input: padding size = 4 (pads last 2 dimensions)\n"
            "  - 4D or 5D input: padding size = 6 (pads last 3 dimensions)"
        )
    if mode == "circular":
        return pad_round(input, margins)
    return getattr(op, f"{PADDINGS[mode]}{dims}d")(input, margins)


def pad_round(input: Any, margins: tuple[int, ...]) -> Any:
    """Margins that go on at the other end: written into the result, dimension by dimension."""
    array = input._array
    pairs = list(zip(margins[::2], margins[1::2], strict=True))
    dims = [array.ndim - 1 - place for place in range(len(pairs))]
    sizes = list(array.shape)
    for dim, (low, high) in zip(dims, pairs, strict=True):
        if low > sizes[dim] or high > sizes[dim]:
            raise RuntimeError("Padding value causes wrapping around more than once.")
        sizes[dim] += low + high
        if sizes[dim] < 0:
            raise RuntimeError("Negative padding value is resulting in an empty dimension")
    out = wrap(np.empty(sizes, array.dtype))
    target, source = out, input
    for dim, (low, high) in zip(dims, pairs, strict=True):
        target = op.slice(target, dim, max(low, 0), sizes[dim] - max(high, 0), 1)
        source = op.slice(source, dim, max(-low, 0), array.shape[dim] - max(-high, 0), 1)
    op.copy_(target, source)
    for dim, (low, high) in zip(dims, pairs, strict=True):
        inner = sizes[dim] - max(high, 0)
        if low > 0:
            end = op.slice(out, dim, inner - low, inner, 1)
            op.copy_(op.slice(out, dim, 0, low, 1), end)
        if high > 0:
            start = op.slice(out, dim, max(low, 0), max(low, 0) + high, 1)
            op.copy_(op.slice(out, dim, inner, sizes[dim], 1), start)
    return out


@public
def select_scatter(input: Tensor, src: Tensor, dim: int, index: int) -> Tensor:
    """Return a copy with one slice of a dimension replaced by `src`.

    `input`: (..., n, ...). `src`: its shape without that dimension, else RuntimeError is raised.

    >>> import seegrad as torch
    >>> torch.select_scatter(torch.zeros(2, 2), torch.ones(2), 0, 1)
    tensor([[0., 0.],
            [1., 1.]])
    """
    return op.select_scatter(input, src, dim, index)


@public
def slice_scatter(
    input: Tensor,
    src: Tensor,
    dim: int = 0,
    start: int | None = None,
    end: int | None = None,
    step: int = 1,
) -> Tensor:
    """Return a copy with a range of slices of a dimension replaced by `src`.

    `input`: (..., n, ...). `src`: the shape of the slice, else RuntimeError is raised.

    >>> import seegrad as torch
    >>> torch.slice_scatter(torch.zeros(3), torch.ones(2), 0, 1)
    tensor([0., 1., 1.])
    """
    return op.slice_scatter(input, src, dim, start, end, step)


@public
def diagonal_scatter(
    input: Tensor, src: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1
) -> Tensor:
    """Return a copy with a diagonal replaced by `src`.

    `input`: at least two dimensions. `src`: the shape of the diagonal, else RuntimeError.

    >>> import seegrad as torch
    >>> torch.diagonal_scatter(torch.zeros(2, 2), torch.ones(2))
    tensor([[1., 0.],
            [0., 1.]])
    """
    return op.diagonal_scatter(input, src, offset, dim1, dim2)
