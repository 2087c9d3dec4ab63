"""Public products of several matrices, powers of matrices, vector products."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import pairwise
from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np

from seegrad.arrays.matrices import need_float
from seegrad.graph.tensor import wrap
from seegrad.operators.recording import recorded as op
from seegrad.ops.calls import public
from seegrad.ops.grids import common_shape
from seegrad.ops.linalg import matmul
from seegrad.ops.once import warn_once
from seegrad.ops.out import into
from seegrad.ops.solvers import linalg_inv
from seegrad.ops.views import diagonal, reshape

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor


def multi_dot(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """Return the product of several matrices in the order that costs least.

    `tensors`: at least two matrices; the first and the last may be vectors. Raises RuntimeError
    where sizes do not fit.

    >>> import seegrad as torch
    >>> torch.linalg.multi_dot((torch.ones(1, 2), torch.ones(2, 3), torch.ones(3, 1)))
    tensor([[6.]])
    """
    if out is not None:
        return into(out, "linalg_multi_dot", multi_dot, tensors)
    found: list[Any] = list(tensors)
    if len(found) < 2:
        raise RuntimeError(f"multi_dot(): expected at least 2 tensors but got {len(found)}")
    result: list[int] = []
    if found[0]._array.ndim == 1:
        found[0] = op.unsqueeze(found[0], 0)
    else:
        result.append(found[0]._array.shape[0])
    if found[-1]._array.ndim == 1:
        found[-1] = op.unsqueeze(found[-1], -1)
    else:
        result.append(found[-1]._array.shape[1])
    for place, (one, two) in enumerate(pairwise(found)):
        if one._array.shape[1] != two._array.shape[0]:
            raise RuntimeError(
                f"multi_dot(): tensors {place} and {place + 1} with shapes "
                f"{list(one._array.shape)} and {list(two._array.shape)} cannot be multiplied"
            )
    return op.view(product_of(found, cheapest(found)), tuple(result))


Order = int | tuple["Order", "Order"]


def cheapest(matrices: list[Any]) -> Any:
    """The brackets with the fewest multiplications, as nested pairs of places."""
    sizes = [matrix._array.shape[0] for matrix in matrices] + [matrices[-1]._array.shape[1]]
    count = len(matrices)
    # As in PyTorch: among equal costs three are multiplied from the left, more from the right.
    cuts: Any = reversed if count == 3 else iter
    best: dict[tuple[int, int], tuple[int, Any]] = {(n, n): (0, n) for n in range(count)}
    for length in range(1, count):
        for first in range(count - length):
            last = first + length
            best[first, last] = min(
                (
                    (
                        best[first, cut][0]
                        + best[cut + 1, last][0]
                        + sizes[first] * sizes[cut + 1] * sizes[last + 1],
                        (best[first, cut][1], best[cut + 1, last][1]),
                    )
                    for cut in cuts(range(first, last))
                ),
                key=lambda found: found[0],
            )
    return best[0, count - 1][1]


def product_of(matrices: list[Any], order: Any) -> Any:
    """The product in the given brackets."""
    if isinstance(order, int):
        return matrices[order]
    left, right = order
    return op.mm(product_of(matrices, left), product_of(matrices, right))


def chain_matmul(*matrices: Tensor, out: Tensor | None = None) -> Tensor:
    """Return the product of several matrices in the order that costs least.

    `matrices`: (n, m), (m, p) and so on. Raises RuntimeError where sizes do not fit.

    >>> import seegrad as torch
    >>> import warnings; warnings.simplefilter("ignore")
    >>> torch.chain_matmul(torch.ones(1, 2), torch.ones(2, 3))
    tensor([[2., 2., 2.]])
    """
    warn_once(
        "torch.chain_matmul is deprecated and will be removed in a future PyTorch release. Use "
        "torch.linalg.multi_dot instead, which accepts a list of two or more tensors rather than "
        "multiple parameters."
    )
    for matrix in matrices:
        if matrix._array.ndim != 2:
            raise RuntimeError(f"Tensor dimension is {matrix._array.ndim}, expected 2 instead.")
    return matrices[0] if len(matrices) == 1 else multi_dot(matrices, out=out)


@public
def matrix_power(input: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    """Return a square matrix multiplied by itself `n` times.

    `input`: (..., m, m). `n`: of the inverse where it is negative. Raises RuntimeError for
    matrices that are not square, LinAlgError for an inverse that is not there.

    >>> import seegrad as torch
    >>> torch.matrix_power(torch.tensor([[1.0, 1.0], [0.0, 1.0]]), 3)
    tensor([[1., 3.],
            [0., 1.]])
    """
    if out is not None:
        return into(out, "linalg_matrix_power", matrix_power, input, n)
    shape = input._array.shape
    if len(shape) < 2:
        raise RuntimeError(
            "linalg.matrix_power: The input tensor A must have at least 2 dimensions."
        )
    if shape[-1] != shape[-2]:
        raise RuntimeError(
            "linalg.matrix_power: A must be batches of square matrices, but they are "
            f"{shape[-2]} by {shape[-1]} matrices"
        )
    n = index(n)
    if n < 0:
        input, n = linalg_inv(input), -n
        return input if n == 1 else powered(input, n)
    if n == 0:
        return op.copy_(op.clone(input), wrap(np.eye(shape[-1], dtype=input._array.dtype)))
    if n == 1:
        return op.clone(input)
    return powered(input, n)


def powered(input: Any, n: int) -> Any:
    """The power by squaring: 2 and 3 directly, as PyTorch does."""
    if n == 2:
        return matmul(input, input)
    if n == 3:
        return matmul(matmul(input, input), input)
    factors, square = [], None
    while n:
        square = input if square is None else matmul(square, square)
        n, odd = divmod(n, 2)
        if odd:
            factors.append(square)
    return reduce(matmul, factors)


@public
def linalg_cross(
    input: Tensor, other: Tensor, *, dim: int = -1, out: Tensor | None = None
) -> Tensor:
    """Return the vector product along a dimension of size 3.

    `input` and `other`: shapes that broadcast, with 3 in `dim`. Raises RuntimeError where they do
    not.

    >>> import seegrad as torch
    >>> torch.linalg.cross(torch.tensor([1, 0, 0]), torch.tensor([0, 1, 0]))
    tensor([0, 0, 1])
    """
    if out is not None:
        return into(out, "linalg_cross", op.linalg_cross, input, other, dim)
    if input.dtype is not other.dtype:
        raise RuntimeError(
            f"expected scalar type {input.dtype.scalar_name} but found {other.dtype.scalar_name}"
        )
    shapes = [input._array.shape, other._array.shape]
    if len(shapes[0]) == len(shapes[1]) and 3 in (shapes[0] or (0,)):
        common_shape(shapes)
    return op.linalg_cross(input, other, dim)


@public
def cross(
    input: Tensor, other: Tensor, dim: int | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Return the vector product along a dimension of size 3, by default the first such.

    `input` and `other`: shapes that broadcast. Raises RuntimeError where no dimension has size 3.

    >>> import seegrad as torch
    >>> torch.cross(torch.tensor([1, 0, 0]), torch.tensor([0, 1, 0]), dim=0)
    tensor([0, 0, 1])
    """
    if dim is None:
        warn_once(
            "Using torch.cross without specifying the dim arg is deprecated.\nPlease either pass "
            "the dim explicitly or simply use torch.linalg.cross.\nThe default value of dim will "
            "change to agree with that of linalg.cross in a future release."
        )
        shape = common_shape([input._array.shape, other._array.shape])
        if 3 not in shape:
            raise RuntimeError("no dimension of size 3 in input")
        dim = shape.index(3)
    return linalg_cross(input, other, dim=dim, out=out)


@public
def vander(x: Tensor, N: int | None = None, increasing: bool = False) -> Tensor:
    """Return the powers of each element of a vector as rows, the highest first.

    `x`: (n,). Returns (n, N), by default (n, n). Raises RuntimeError for other shapes.

    >>> import seegrad as torch
    >>> torch.vander(torch.tensor([1, 2, 3]))
    tensor([[1, 1, 1],
            [4, 2, 1],
            [9, 3, 1]])
    """
    if x._array.ndim != 1:
        raise RuntimeError("x must be a one-dimensional tensor.")
    count = x._array.size if N is None else N
    if count < 0:
        raise RuntimeError("N must be non-negative.")
    ones = wrap(np.ones((x._array.size, min(count, 1)), x._array.dtype))
    if count < 2:
        return ones
    columns = op.expand(reshape(x, (-1, 1)), (x._array.size, count - 1))
    powers = op.cat([ones, op.cumprod(columns, 1)], 1)
    return powers if increasing else op.flip(powers, (1,))


@public
def linalg_vander(x: Tensor, *, N: int | None = None) -> Tensor:
    """Return the powers of each element of a vector as rows, the lowest first.

    `x`: (..., n). Returns (..., n, N), by default (..., n, n). Raises RuntimeError for N below 2.

    >>> import seegrad as torch
    >>> torch.linalg.vander(torch.tensor([1, 2, 3]))
    tensor([[1, 1, 1],
            [1, 2, 4],
            [1, 3, 9]])
    """
    if x._array.dtype.char not in "fdFD" and x._array.dtype.kind not in "iu":
        raise RuntimeError(
            "linalg.vander supports floating point, complex, and integer tensors, but got "
            f"{x.dtype.scalar_name}"
        )
    shape = x._array.shape
    count = (shape or (0,))[-1] if N is None else N
    if count < 2:
        raise RuntimeError("N must be greater than 1.")
    shape = shape or (1,)
    columns = op.expand(op.unsqueeze(x, -1), (*shape, count - 1))
    return op.cat(
        [wrap(np.ones((*shape, 1), x._array.dtype)), op.cumprod(columns, len(shape))], -1
    )


@public
def vecdot(x: Tensor, y: Tensor, *, dim: int = -1, out: Tensor | None = None) -> Tensor:
    """Return the sums of products along a dimension, the first factor conjugated.

    `x` and `y`: shapes that broadcast, of one type, floating point or complex. Returns the shape
    without `dim`. Raises RuntimeError for integers and for two types.

    >>> import seegrad as torch
    >>> torch.linalg.vecdot(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.ones(2))
    tensor([3., 7.])
    """
    if out is not None:
        return into(out, "linalg_vecdot", lambda: vecdot(x, y, dim=dim), exact=True)
    need_float("linalg.vecdot", x._array)
    if x.dtype is not y.dtype:
        raise RuntimeError(
            "linalg.vecdot: Expected x and y to have the same dtype, but found x of type "
            f"{x.dtype.scalar_name} and y of type {y.dtype.scalar_name} instead"
        )
    if x._array.ndim == y._array.ndim == 1:
        return op.vdot(x, y)
    return op.sum_dim(op.mul(op.conj(x) if x.dtype.is_complex else x, y), (dim,), False)


@public
def linalg_diagonal(A: Tensor, *, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """Return a view of the diagonals of each matrix.

    `A`: (..., m, n). `offset`: above (positive) or below the main diagonal. Returns (..., k).

    >>> import seegrad as torch
    >>> torch.linalg.diagonal(torch.tensor([[1, 2], [3, 4]]))
    tensor([1, 4])
    """
    return diagonal(A, offset, dim1, dim2)
