"""Public functions of linear systems: determinants, inverses, LU and Cholesky factors."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

from seegrad.arrays.matrices import need_float, need_square
from seegrad.arrays.solvers import (
    refuse_factors,
    refuse_indefinite,
    refuse_inverse,
    refuse_solution,
)
from seegrad.operators.recording import recorded as op
from seegrad.ops import return_types
from seegrad.ops.calls import public
from seegrad.ops.choose import where
from seegrad.ops.once import warn_once
from seegrad.ops.out import into
from seegrad.ops.views import movedim, reshape

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

Outs = Any  # a tuple of tensors to write into, or None


@public
def linalg_det(A: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the determinant of each matrix.

    `A`: (..., n, n), floating point or complex. Returns (...). Raises RuntimeError for matrices
    that are not square. The gradient is that of a polynomial, for singular matrices too.

    >>> import seegrad as torch
    >>> torch.linalg.det(torch.tensor([[2.0, 1.0], [1.0, 3.0]]))
    tensor(5.)
    """
    if out is not None:
        return into(out, "linalg_det", op.linalg_det, A, exact=True)
    return op.linalg_det(A)


@public
def det(input: Tensor) -> Tensor:
    """Return the determinant of each matrix, as `torch.linalg.det`.

    `input`: (..., n, n). Returns (...). Raises RuntimeError for matrices that are not square.

    >>> import seegrad as torch
    >>> torch.det(torch.eye(2))
    tensor(1.)
    """
    return op.linalg_det(input)


@public
def linalg_slogdet(A: Tensor, *, out: Outs = None) -> return_types.linalg_slogdet:
    """Return the sign of each determinant and the logarithm of its absolute value.

    `A`: (..., n, n), floating point or complex. Returns `sign` and `logabsdet`, each (...); the
    sign of a complex determinant has absolute value 1. Raises RuntimeError for other shapes.

    >>> import seegrad as torch
    >>> sign, logabsdet = torch.linalg.slogdet(torch.eye(2) * 10)
    >>> sign, logabsdet
    (tensor(1.), tensor(4.6052))
    """
    if out is not None:
        into(out, "linalg_slogdet", op.linalg_slogdet, A, exact=True)
        return return_types.linalg_slogdet(out)
    return return_types.linalg_slogdet(op.linalg_slogdet(A))


@public
def slogdet(input: Tensor) -> return_types.slogdet:
    """Return sign and logarithm of determinants, as `torch.linalg.slogdet`.

    `input`: (..., n, n). Returns `sign` and `logabsdet`, each (...).

    >>> import seegrad as torch
    >>> torch.slogdet(torch.eye(2)).logabsdet
    tensor(0.)
    """
    return return_types.slogdet(op.linalg_slogdet(input))


@public
def logdet(input: Tensor) -> Tensor:
    """Return the logarithm of each determinant, NaN for a negative one.

    `input`: (..., n, n), floating point or complex. Returns (...).

    >>> import seegrad as torch
    >>> torch.logdet(torch.eye(2) * 10)
    tensor(4.6052)
    """
    need_square("logdet", input._array)
    need_float("logdet", input._array, low=False)
    sign, logabsdet = op.linalg_slogdet(input)
    if input.dtype.is_complex:
        return op.log(sign) + logabsdet
    return where(op.eq(sign, -1.0), float("nan"), logabsdet)


@public
def linalg_inv(A: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the inverse of each matrix.

    `A`: (..., n, n), floating point or complex. Returns the same shape. Raises LinAlgError for a
    singular matrix.

    >>> import seegrad as torch
    >>> torch.linalg.inv(torch.tensor([[2.0, 0.0], [0.0, 4.0]]))
    tensor([[0.5000, 0.0000],
            [0.0000, 0.2500]])
    """
    if out is not None:
        return into(out, "linalg_inv_ex", linalg_inv, A, exact=True)
    inverse, info = op.linalg_inv_ex(A, False)
    refuse_inverse("linalg.inv", info._array)
    return inverse


@public
def inverse(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the inverse of each matrix, as `torch.linalg.inv`.

    `input`: (..., n, n). Raises LinAlgError for a singular matrix.

    >>> import seegrad as torch
    >>> torch.inverse(torch.tensor([[2.0]]))
    tensor([[0.5000]])
    """
    return linalg_inv(input, out=out)


@public
def linalg_inv_ex(
    A: Tensor, *, check_errors: bool = False, out: Outs = None
) -> return_types.linalg_inv_ex:
    """Return inverses, and for each matrix where it has a zero that forbids one.

    `A`: (..., n, n). Returns `inverse`, and `info` (...), int32: 0 where there is an inverse.
    Raises LinAlgError for a singular matrix with `check_errors` only.

    >>> import seegrad as torch
    >>> torch.linalg.inv_ex(torch.zeros(2, 2)).info
    tensor(1, dtype=torch.int32)
    """
    if out is not None:
        into(out, "linalg_inv_ex", op.linalg_inv_ex, A, check_errors, exact=True)
        return return_types.linalg_inv_ex(out)
    return return_types.linalg_inv_ex(op.linalg_inv_ex(A, check_errors))


@public
def linalg_solve(A: Tensor, B: Tensor, *, left: bool = True, out: Tensor | None = None) -> Tensor:
    """Return X of `A X = B`, or of `X A = B` unless `left`.

    `A`: (..., n, n). `B`: (..., n, k), or vectors (..., n). Returns the shape of B, batches
    broadcast. Raises LinAlgError for a singular matrix, RuntimeError where shapes do not fit.

    >>> import seegrad as torch
    >>> torch.linalg.solve(torch.tensor([[2.0, 0.0], [0.0, 4.0]]), torch.tensor([1.0, 1.0]))
    tensor([0.5000, 0.2500])
    """
    if out is not None:
        return into(out, "linalg_solve_ex", _solve, A, B, left, exact=True)
    return _solve(A, B, left)


def _solve(A: Any, B: Any, left: bool, name: str = "torch.linalg.solve") -> Any:
    result, info = op.linalg_solve_ex(A, B, left, False)
    refuse_solution(name, info._array)
    return result


@public
def linalg_solve_ex(
    A: Tensor, B: Tensor, *, left: bool = True, check_errors: bool = False, out: Outs = None
) -> return_types.linalg_solve_ex:
    """Return X of `A X = B`, and for each matrix where it has a zero that forbids one.

    `A`: (..., n, n). `B`: (..., n, k) or (..., n). Returns `result`, and `info`, int32: 0 where
    there is a solution. Raises LinAlgError for a singular matrix with `check_errors` only.

    >>> import seegrad as torch
    >>> torch.linalg.solve_ex(torch.eye(2), torch.ones(2)).result
    tensor([1., 1.])
    """
    if out is not None:
        into(out, "linalg_solve_ex", op.linalg_solve_ex, A, B, left, check_errors, exact=True)
        return return_types.linalg_solve_ex(out)
    return return_types.linalg_solve_ex(op.linalg_solve_ex(A, B, left, check_errors))


@public
def linalg_solve_triangular(
    A: Tensor,
    B: Tensor,
    *,
    upper: bool,
    left: bool = True,
    unitriangular: bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """Return X of `A X = B`, or of `X A = B` unless `left`, by one triangle of A.

    `A`: (..., n, n). `B`: (..., n, k). `unitriangular`: the diagonal counts as ones. Returns the
    shape of B, batches broadcast. Raises RuntimeError where shapes do not fit.

    >>> import seegrad as torch
    >>> A = torch.tensor([[2.0, 1.0], [9.0, 1.0]])
    >>> torch.linalg.solve_triangular(A, torch.ones(2, 1), upper=True)
    tensor([[0.],
            [1.]])
    """
    args = A, B, upper, left, unitriangular
    if out is not None:
        solve = op.linalg_solve_triangular
        return into(out, "linalg_solve_triangular", solve, *args, exact=True)
    return op.linalg_solve_triangular(*args)


@public
def triangular_solve(
    input: Tensor,
    A: Tensor,
    upper: bool = True,
    transpose: bool = False,
    unitriangular: bool = False,
    *,
    out: Outs = None,
) -> return_types.triangular_solve:
    """Return X of `A X = input` by one triangle of A, and a copy of A.

    `input`: (..., n, k). `A`: (..., n, n). Returns `solution` and `cloned_coefficient`.

    >>> import seegrad as torch
    >>> import warnings; warnings.simplefilter("ignore")
    >>> torch.triangular_solve(torch.ones(2, 1), torch.eye(2)).solution
    tensor([[1.],
            [1.]])
    """
    warn_once(
        "torch.triangular_solve is deprecated in favor of torch.linalg.solve_triangularand will "
        "be removed in a future PyTorch release.\ntorch.linalg.solve_triangular has its arguments "
        "reversed and does not return a copy of one of the inputs.\n"
        "X = torch.triangular_solve(B, A).solution\nshould be replaced with\n"
        "X = torch.linalg.solve_triangular(A, B)."
    )
    args = input, A, upper, transpose, unitriangular
    if out is not None:
        into(out, "triangular_solve", op.triangular_solve, *args)
        return return_types.triangular_solve(out)
    return return_types.triangular_solve(op.triangular_solve(*args))


@public
def lu_factor(A: Tensor, *, pivot: bool = True, out: Outs = None) -> return_types.linalg_lu_factor:
    """Return the LU factors of each matrix, both in one, and the rows that were exchanged.

    `A`: (..., m, n). Returns `LU` (..., m, n), and `pivots` (..., min(m, n)), int32, counted from
    1. Raises RuntimeError where U has a zero on its diagonal.

    >>> import seegrad as torch
    >>> torch.linalg.lu_factor(torch.tensor([[2.0, 1.0], [4.0, 6.0]]))
    torch.return_types.linalg_lu_factor(
    LU=tensor([[ 4.0000,  6.0000],
            [ 0.5000, -2.0000]]),
    pivots=tensor([2, 2], dtype=torch.int32))
    """
    if out is not None:
        into(out, "linalg_lu_factor", _lu_factor, A, pivot)
        return return_types.linalg_lu_factor(out)
    return return_types.linalg_lu_factor(_lu_factor(A, pivot))


def _lu_factor(A: Any, pivot: bool) -> Any:
    LU, pivots, info = op.linalg_lu_factor_ex(A, pivot, False)
    refuse_factors("torch.linalg.lu_factor", info._array)
    return LU, pivots


@public
def lu_factor_ex(
    A: Tensor, *, pivot: bool = True, check_errors: bool = False, out: Outs = None
) -> return_types.linalg_lu_factor_ex:
    """Return the LU factors of each matrix, and where U has a zero on its diagonal.

    `A`: (..., m, n). Returns `LU`, `pivots` and `info`, int32: 0 where U has no zero.

    >>> import seegrad as torch
    >>> torch.linalg.lu_factor_ex(torch.zeros(2, 2)).info
    tensor(1, dtype=torch.int32)
    """
    if out is not None:
        into(out, "linalg_lu_factor_ex", op.linalg_lu_factor_ex, A, pivot, check_errors)
        return return_types.linalg_lu_factor_ex(out)
    return return_types.linalg_lu_factor_ex(op.linalg_lu_factor_ex(A, pivot, check_errors))


@public
def lu(input: Tensor, pivot: bool = True, get_infos: bool = False, out: Outs = None) -> Any:
    """Return the LU factors and the exchanges, and where U has a zero if `get_infos`.

    `input`: (..., m, n). Returns a tuple of two, or of three.

    >>> import seegrad as torch
    >>> import warnings; warnings.simplefilter("ignore")
    >>> LU, pivots = torch.lu(torch.eye(2))
    """
    warn_once(
        "torch.lu is deprecated in favor of torch.linalg.lu_factor / torch.linalg.lu_factor_ex "
        "and will be removed in a future PyTorch release.\n"
        "LU, pivots = torch.lu(A, compute_pivots)\nshould be replaced with\n"
        "LU, pivots = torch.linalg.lu_factor(A, compute_pivots)\nand\n"
        "LU, pivots, info = torch.lu(A, compute_pivots, get_infos=True)\nshould be replaced with\n"
        "LU, pivots, info = torch.linalg.lu_factor_ex(A, compute_pivots)"
    )
    results = op.linalg_lu_factor_ex(input, pivot, False)
    results = results if get_infos else results[:2]
    return results if out is None else into(out, "lu", lambda: results)


@public
def linalg_lu(A: Tensor, *, pivot: bool = True, out: Outs = None) -> return_types.linalg_lu:
    """Return P, L and U with `A = P L U`.

    `A`: (..., m, n). Returns `P` (..., m, m), `L` (..., m, k), `U` (..., k, n) with the smaller
    size k.

    >>> import seegrad as torch
    >>> torch.linalg.lu(torch.tensor([[2.0, 1.0], [4.0, 6.0]])).L
    tensor([[1.0000, 0.0000],
            [0.5000, 1.0000]])
    """
    if out is not None:
        into(out, "linalg_lu", op.linalg_lu, A, pivot)
        return return_types.linalg_lu(out)
    return return_types.linalg_lu(op.linalg_lu(A, pivot))


@public
def lu_unpack(
    LU_data: Tensor,
    LU_pivots: Tensor,
    unpack_data: bool = True,
    unpack_pivots: bool = True,
    *,
    out: Outs = None,
) -> return_types.lu_unpack:
    """Return P, L and U of what `lu_factor` gave; empty what is not asked for.

    `LU_data`: (..., m, n). `LU_pivots`: (..., min(m, n)), int32.

    >>> import seegrad as torch
    >>> torch.lu_unpack(*torch.linalg.lu_factor(torch.eye(2))).P
    tensor([[1., 0.],
            [0., 1.]])
    """
    args = LU_data, LU_pivots, unpack_data, unpack_pivots
    if out is not None:
        into(out, "lu_unpack", op.lu_unpack, *args)
        return return_types.lu_unpack(out)
    return return_types.lu_unpack(op.lu_unpack(*args))


@public
def linalg_lu_solve(
    LU: Tensor,
    pivots: Tensor,
    B: Tensor,
    *,
    left: bool = True,
    adjoint: bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """Return X of `A X = B` by the factors of A, or of its conjugate transpose if `adjoint`.

    `LU`: (..., n, n). `pivots`: (..., n), int32. `B`: (..., n, k). Returns the shape of B.

    >>> import seegrad as torch
    >>> LU, pivots = torch.linalg.lu_factor(torch.eye(2) * 2)
    >>> torch.linalg.lu_solve(LU, pivots, torch.ones(2, 1))
    tensor([[0.5000],
            [0.5000]])
    """
    args = LU, pivots, B, left, adjoint
    if out is not None:
        return into(out, "linalg_lu_solve", op.linalg_lu_solve, *args, exact=True)
    return op.linalg_lu_solve(*args)


@public
def lu_solve(
    input: Tensor, LU_data: Tensor, LU_pivots: Tensor, *, out: Tensor | None = None
) -> Tensor:
    """Return X of `A X = input` by the factors of A, as `torch.linalg.lu_solve`.

    `input`: (..., n, k). `LU_data`: (..., n, n). `LU_pivots`: (..., n), int32.

    >>> import seegrad as torch
    >>> import warnings; warnings.simplefilter("ignore")
    >>> torch.lu_solve(torch.ones(2, 1), *torch.linalg.lu_factor(torch.eye(2)))
    tensor([[1.],
            [1.]])
    """
    warn_once(
        "torch.lu_solve is deprecated in favor of torch.linalg.lu_solveand will be removed in a "
        "future PyTorch release.\nNote that torch.linalg.lu_solve has its arguments reversed.\n"
        "X = torch.lu_solve(B, LU, pivots)\nshould be replaced with\n"
        "X = torch.linalg.lu_solve(LU, pivots, B)"
    )
    return linalg_lu_solve(LU_data, LU_pivots, input, out=out)


@public
def linalg_cholesky(A: Tensor, *, upper: bool = False, out: Tensor | None = None) -> Tensor:
    """Return the lower triangular L of each positive-definite matrix `L L^H`.

    `A`: (..., n, n), Hermitian. `upper`: return `U = L^H`. Raises LinAlgError for a matrix that is
    not positive-definite.

    >>> import seegrad as torch
    >>> torch.linalg.cholesky(torch.tensor([[4.0, 2.0], [2.0, 2.0]]))
    tensor([[2., 0.],
            [1., 1.]])
    """
    if out is not None:
        return into(out, "linalg_cholesky_ex", _cholesky, A, upper, exact=True)
    return _cholesky(A, upper)


def _cholesky(A: Any, upper: bool) -> Any:
    L, info = op.linalg_cholesky_ex(A, upper, False)
    refuse_indefinite("linalg.cholesky", info._array)
    return L


@public
def linalg_cholesky_ex(
    A: Tensor, *, upper: bool = False, check_errors: bool = False, out: Outs = None
) -> return_types.linalg_cholesky_ex:
    """Return Cholesky factors, and the order of the first minor that is not positive.

    `A`: (..., n, n), Hermitian. Returns `L`, and `info` (...), int32: 0 for a positive-definite
    matrix. Raises LinAlgError with `check_errors` only.

    >>> import seegrad as torch
    >>> torch.linalg.cholesky_ex(-torch.eye(2)).info
    tensor(1, dtype=torch.int32)
    """
    if out is not None:
        into(out, "linalg_cholesky_ex", op.linalg_cholesky_ex, A, upper, check_errors, exact=True)
        return return_types.linalg_cholesky_ex(out)
    return return_types.linalg_cholesky_ex(op.linalg_cholesky_ex(A, upper, check_errors))


@public
def cholesky(input: Tensor, upper: bool = False, *, out: Tensor | None = None) -> Tensor:
    """Return Cholesky factors, as `torch.linalg.cholesky`.

    `input`: (..., n, n), Hermitian. Raises LinAlgError for a matrix that is not
    positive-definite.

    >>> import seegrad as torch
    >>> import warnings; warnings.simplefilter("ignore")
    >>> torch.cholesky(torch.tensor([[4.0]]))
    tensor([[2.]])
    """
    warn_once(
        "torch.cholesky is deprecated in favor of torch.linalg.cholesky and will be removed in a "
        "future PyTorch release.\nL = torch.cholesky(A)\nshould be replaced with\n"
        "L = torch.linalg.cholesky(A)\nand\nU = torch.cholesky(A, upper=True)\n"
        "should be replaced with\nU = torch.linalg.cholesky(A).mH\nThis transform will produce "
        "equivalent results for all valid (symmetric positive definite) inputs."
    )
    if out is not None:
        return into(out, "cholesky", op.cholesky, input, upper)
    return op.cholesky(input, upper)


@public
def cholesky_solve(
    input: Tensor, L: Tensor, upper: bool = False, *, out: Tensor | None = None
) -> Tensor:
    """Return X of `A X = input` by the Cholesky factor of A.

    `input`: (..., n, k). `L`: (..., n, n), triangular. Raises RuntimeError where shapes do not
    fit.

    >>> import seegrad as torch
    >>> torch.cholesky_solve(torch.ones(2, 1), torch.eye(2) * 2)
    tensor([[0.2500],
            [0.2500]])
    """
    if out is not None:
        return into(out, "cholesky_solve", op.cholesky_solve, input, L, upper)
    return op.cholesky_solve(input, L, upper)


@public
def cholesky_inverse(L: Tensor, upper: bool = False, *, out: Tensor | None = None) -> Tensor:
    """Return the inverse of each matrix by its Cholesky factor.

    `L`: (..., n, n), triangular.

    >>> import seegrad as torch
    >>> torch.cholesky_inverse(torch.eye(1) * 2)
    tensor([[0.2500]])
    """
    if out is not None:
        return into(out, "cholesky_inverse", op.cholesky_inverse, L, upper)
    return op.cholesky_inverse(L, upper)


@public
def tensorinv(A: Tensor, ind: int = 2, *, out: Tensor | None = None) -> Tensor:
    """Return the inverse of a tensor for `torch.tensordot`.

    `A`: its first `ind` sizes multiply to the product of the others. Returns the others first.
    Raises RuntimeError for other shapes, LinAlgError where there is no inverse.

    >>> import seegrad as torch
    >>> torch.linalg.tensorinv(torch.eye(4).reshape(2, 2, 4)).shape
    torch.Size([4, 2, 2])
    """
    if out is not None:
        return into(out, "linalg_tensorinv", tensorinv, A, ind)
    if ind <= 0:
        raise RuntimeError(f"Expected a strictly positive integer for 'ind', but got {ind}")
    shape = A._array.shape
    if ind > len(shape):
        raise RuntimeError(f"ArrayRef: invalid slice, N = {ind}; size = {len(shape)}")
    first, second = shape[:ind], shape[ind:]
    if prod(first) != prod(second):
        raise RuntimeError(
            "Expected self to satisfy the requirement prod(self.shape[ind:]) == "
            f"prod(self.shape[:ind]), but got {prod(second)} != {prod(first)}"
        )
    inverse, info = op.linalg_inv_ex(reshape(A, (prod(second), prod(first))), False)
    refuse_inverse("inv", info._array)
    return op.reshape_alias(inverse, (*second, *first))


@public
def tensorsolve(A: Tensor, B: Tensor, dims: Any = None, *, out: Tensor | None = None) -> Tensor:
    """Return X of `torch.tensordot(A, X, X.ndim) = B`.

    `A`: its first sizes are those of B, and multiply to the product of the others. `dims`: are
    moved to the end before. Raises RuntimeError for other shapes.

    >>> import seegrad as torch
    >>> torch.linalg.tensorsolve(torch.eye(4).reshape(2, 2, 4), torch.ones(2, 2))
    tensor([1., 1., 1., 1.])
    """
    if out is not None:
        return into(out, "linalg_tensorsolve", tensorsolve, A, B, dims)
    if dims is not None:
        moved = list(dims)
        A = movedim(A, moved, list(range(A._array.ndim - len(moved), A._array.ndim)))
    count, shape = B._array.ndim, A._array.shape
    first, second = shape[:count], shape[count:]
    if prod(first) != prod(second):
        raise RuntimeError(
            "Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == "
            f"prod(self.shape[:other.ndim]), but got {prod(second)} != {prod(first)}"
        )
    sides = reshape(B, (-1,)) if count != 1 else B
    return op.view(_solve(reshape(A, (prod(second), prod(second))), sides, True), second)
