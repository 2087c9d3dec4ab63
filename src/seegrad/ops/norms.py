"""Public norms and distances."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from seegrad.arrays.matrices import need_float
from seegrad.arrays.promotion import can_cast
from seegrad.graph.tangents import is_differentiated
from seegrad.operators.recording import recorded as op
from seegrad.ops.calls import public
from seegrad.ops.dims import wrap_dim, wrap_dims
from seegrad.ops.out import into
from seegrad.ops.reduce import alike

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

Dims = int | tuple[int, ...] | list[int] | None


@public
def vector_norm(
    x: Tensor,
    ord: float = 2,
    dim: Dims = None,
    keepdim: bool = False,
    *,
    dtype: Any = None,
    out: Tensor | None = None,
) -> Tensor:
    """Return the norm over dimensions, their elements taken as one vector.

    `x`: (...), floating point or complex. `ord`: any number, `inf` and `-inf` too. `dim`: the
    dimensions to reduce, all if None. Returns the shape that is left, real. Raises RuntimeError
    for integers. The norm of zeros has gradient zero.

    >>> import seegrad as torch
    >>> torch.linalg.vector_norm(torch.tensor([3.0, -4.0]))
    tensor(5.)
    """
    if isinstance(ord, str):
        raise TypeError(
            "linalg_vector_norm(): argument 'ord' (position 2) must be Number, not str"
        )
    if dtype is not None and dtype is not x.dtype:
        x = op.to_copy(x, dtype)
    dims = None if dim is None else wrap_dims(dim, x.ndim)
    if out is not None:
        return into(out, "linalg_vector_norm", op.linalg_vector_norm, x, ord, dims, keepdim)
    return op.linalg_vector_norm(x, ord, dims, keepdim)


@public
def renorm(
    input: Tensor, p: float, dim: int, maxnorm: float, *, out: Tensor | None = None
) -> Tensor:
    """Return the tensor with its slices along a dimension scaled down to a largest norm.

    `input`: (...), two dimensions at least, floating point or complex. `p`: the order of the norm,
    above 0. `dim`: the slices `input.select(dim, i)` are measured. Returns (...). Raises
    RuntimeError for an order or a bound out of range, IndexError for a dimension.

    >>> import seegrad as torch
    >>> torch.renorm(torch.tensor([[3.0, 4.0], [0.3, 0.4]]), p=2, dim=0, maxnorm=1)
    tensor([[0.6000, 0.8000],
            [0.3000, 0.4000]])
    """
    arguments = (p, _renorm_dim(input, p, dim, maxnorm), maxnorm)
    if out is not None:
        return into(out, "renorm", op.renorm, input, *arguments)
    return op.renorm(input, *arguments)


def renorm_(input: Tensor, p: float, dim: int, maxnorm: float) -> Tensor:
    """As `renorm`, in place."""
    return op.renorm_(input, p, _renorm_dim(input, p, dim, maxnorm), maxnorm)


def _renorm_dim(input: Tensor, p: float, dim: int, maxnorm: float) -> int:
    """The dimension, counted from the front, after PyTorch's checks."""
    if isinstance(p, complex):
        raise RuntimeError("renorm: p must be real-valued")
    if p <= 0:
        raise RuntimeError("renorm: non-positive-norm not supported")
    if maxnorm < 0:
        raise RuntimeError(f"renorm: expected maxnorm to be >= 0 but got {maxnorm:g}")
    if input.ndim < 2:
        raise RuntimeError(
            f"renorm: input needs at least 2 dimensions, got {input.ndim} dimensions"
        )
    return wrap_dim(dim, input.ndim)


@public
def norm(
    input: Tensor,
    p: float | str | None = "fro",
    dim: Dims = None,
    keepdim: bool = False,
    out: Tensor | None = None,
    dtype: Any = None,
) -> Tensor:
    """Return the norm of all elements, or over dimensions, as of one long vector.

    `input`: (...), floating point or complex. `p`: any number, "fro" for 2. `dim`: the dimensions
    to reduce, all if None. Returns the shape that is left, real. Raises RuntimeError for integers.

    >>> import seegrad as torch
    >>> torch.norm(torch.tensor([[3.0, 0.0], [0.0, 4.0]]))
    tensor(5.)
    """
    if isinstance(p, str) and p != "fro":
        dims: Any = tuple(range(input.ndim)) if dim is None and input.ndim > 2 else dim
        dims = (-2, -1) if dims is None else dims
        return matrix_norm(input, p, dims, keepdim, dtype=dtype, out=out)
    order = 2 if p is None or isinstance(p, str) else p
    return vector_norm(input, order, dim, keepdim, dtype=dtype, out=out)


@public
def dist(input: Tensor, other: Tensor, p: float = 2) -> Tensor:
    """Return the norm of the difference of two tensors.

    `input` and `other`: shapes that broadcast, floating point or complex. `p`: the order of the
    norm. Returns (), real. Raises RuntimeError for integers.

    >>> import seegrad as torch
    >>> torch.dist(torch.tensor([3.0, 0.0]), torch.tensor([0.0, 4.0]))
    tensor(5.)
    """
    return op.dist(*alike(input, other), p)


@public
def matrix_norm(
    A: Tensor,
    ord: float | str = "fro",
    dim: tuple[int, int] = (-2, -1),
    keepdim: bool = False,
    *,
    dtype: Any = None,
    out: Tensor | None = None,
) -> Tensor:
    """Return the norm of each matrix.

    `A`: (..., m, n), floating point or complex. `ord`: "fro", "nuc", 1, -1, 2, -2, inf or -inf.
    `dim`: the two dimensions of the matrices. Returns the shape that is left, real. Raises
    RuntimeError for other orders and dimensions.

    >>> import seegrad as torch
    >>> torch.linalg.matrix_norm(torch.tensor([[3.0, 0.0], [0.0, 4.0]]))
    tensor(5.)
    """
    if A._array.dtype.kind in "biu":
        raise RuntimeError(
            "linalg.matrix_norm: Expected a floating point or complex tensor as input. Got "
            f"{A.dtype.scalar_name}"
        )
    rows, columns = _matrix_dims(A, dim)
    if ord == "fro":
        return vector_norm(A, 2, (rows, columns), keepdim, dtype=dtype, out=out)
    if ord in (2, -2, "nuc"):
        arguments = A, ord, (rows, columns), keepdim, dtype
        if out is not None:
            return into(out, "linalg_matrix_norm", spectral_norm, *arguments)
        return spectral_norm(*arguments)
    if isinstance(ord, str) or abs(ord) not in (1, math.inf):
        raise RuntimeError(f"linalg.matrix_norm: Order {ord} not supported.")
    if abs(ord) == math.inf:
        rows, columns = columns, rows
    sums = vector_norm(A, 1, rows, keepdim, dtype=dtype)
    if not A._array.shape[columns]:
        return op.sum_dim(sums, (columns - (columns > rows and not keepdim),), keepdim)
    left = (columns - (columns > rows and not keepdim),)
    extreme = op.amax if ord > 0 else op.amin
    if out is not None:
        return into(out, "linalg_matrix_norm", extreme, sums, left, keepdim)
    return extreme(sums, left, keepdim)


def spectral_norm(
    A: Any, ord: float | str, dims: tuple[int, int], keepdim: bool, dtype: Any
) -> Any:
    """The norms that are made of singular values: their largest, their smallest, their sum."""
    need_float("linalg.matrix_norm", A._array)
    if dtype is not None and dtype is not A.dtype:
        if not can_cast(A.dtype, dtype) or dtype.itemsize < A.dtype.itemsize:
            raise RuntimeError(
                f"linalg.matrix_norm: the dtype of the input ({A.dtype.scalar_name}) should be "
                "convertible without narrowing to the specified dtype "
                f"({dtype.scalar_name})"
            )
        A = op.to_copy(A, dtype)
    need_float("linalg.matrix_norm", A._array, low=False)
    order = (*(d for d in range(A.ndim) if d not in dims), *dims)
    values = singular_values(op.permute(A, order))
    if ord == "nuc" or not values._array.shape[-1]:
        found = op.sum_dim(values, (-1,), keepdim)
    else:
        found = (op.amax if ord == 2 else op.amin)(values, (-1,), keepdim)
    if not keepdim:
        return found
    return op.permute(op.unsqueeze(found, -1), tuple(map(order.index, range(A.ndim))))


def singular_values(A: Any) -> Any:
    """The singular values; by the vectors too where they will be differentiated."""
    if is_differentiated(A):
        return op.linalg_svd(A, False)[1]
    return op.linalg_svdvals(A)


def _matrix_dims(A: Any, dim: Any) -> tuple[int, int]:
    if A.ndim < 2:
        raise RuntimeError(
            "linalg.matrix_norm: The input tensor A must have at least 2 dimensions."
        )
    dims = (dim,) if isinstance(dim, int) else tuple(dim)
    if len(dims) != 2:
        raise RuntimeError(
            f"linalg.matrix_norm: dim must be a 2-tuple. Got {' '.join(map(str, dims))}"
        )
    rows, columns = (wrap_dim(one, A.ndim) for one in dims)
    if rows == columns:
        raise RuntimeError(
            f"linalg.matrix_norm: dims must be different. Got ({dims[0]}, {dims[1]})"
        )
    return rows, columns


@public
def linalg_norm(
    A: Tensor,
    ord: float | str | None = None,
    dim: Dims = None,
    keepdim: bool = False,
    *,
    out: Tensor | None = None,
    dtype: Any = None,
) -> Tensor:
    """Return the norm of a vector, of matrices, or of all elements.

    `A`: (...), floating point or complex. Without `ord` the root of the sum of squares; with it
    the norm of a vector where one dimension is meant, of a matrix where two are. Returns the
    shape that is left, real. Raises RuntimeError where neither is meant.

    >>> import seegrad as torch
    >>> torch.linalg.norm(torch.tensor([3.0, -4.0]))
    tensor(5.)
    """
    dims = None if dim is None else (dim,) if isinstance(dim, int) else tuple(dim)
    if dims is not None and len(dims) not in (1, 2):
        raise RuntimeError(
            f"linalg.norm: If dim is specified, it must be of length 1 or 2. Got {list(dims)}"
        )
    if ord is None:
        return vector_norm(A, 2.0, dim, keepdim, dtype=dtype, out=out)
    if dims is None and A.ndim not in (1, 2):
        raise RuntimeError(
            "linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. "
            f"Got {A.ndim}D."
        )
    count = A.ndim if dims is None else len(dims)
    if count == 1 and not isinstance(ord, str):
        return vector_norm(A, ord, dim, keepdim, dtype=dtype, out=out)
    pair: Any = (-2, -1) if dims is None else dims
    return matrix_norm(A, ord, pair, keepdim, dtype=dtype, out=out)
