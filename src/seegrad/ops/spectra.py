"""Public decompositions, QR, eigenvalues, singular values, and what is made of them."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from seegrad.arrays.dtypes import scalar_type_name
from seegrad.arrays.matrices import need_square
from seegrad.graph.tangents import is_differentiated
from seegrad.graph.tensor import TensorBase, wrap
from seegrad.operators.recording import recorded as op
from seegrad.ops import return_types
from seegrad.ops.calls import public
from seegrad.ops.norms import matrix_norm, singular_values
from seegrad.ops.once import warn_once
from seegrad.ops.out import into

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

Outs = Any  # a tuple of tensors to write into, or None
Limit = Any  # a number, a tensor of one for each matrix, or None


@public
def linalg_qr(A: Tensor, mode: str = "reduced", *, out: Outs = None) -> return_types.linalg_qr:
    """Return Q with orthonormal columns and upper triangular R with `A = Q R`.

    `A`: (..., m, n). `mode`: "reduced" for `Q` (..., m, k) and `R` (..., k, n) with the smaller
    size k; "complete" for (..., m, m) and (..., m, n); "r" for R alone.

    >>> import seegrad as torch
    >>> torch.linalg.qr(torch.tensor([[3.0, 0.0], [4.0, 5.0]])).R
    tensor([[-5., -4.],
            [ 0.,  3.]])
    """
    if out is not None:
        into(out, "linalg_qr", op.linalg_qr, A, mode, exact=True)
        return return_types.linalg_qr(out)
    return return_types.linalg_qr(op.linalg_qr(A, mode))


@public
def qr(input: Tensor, some: bool = True, *, out: Outs = None) -> return_types.qr:
    """Return Q and R, as `torch.linalg.qr`; square Q unless `some`.

    `input`: (..., m, n).

    >>> import seegrad as torch
    >>> import warnings; warnings.simplefilter("ignore")
    >>> torch.qr(torch.eye(2)).R.abs()
    tensor([[1., 0.],
            [0., 1.]])
    """
    warn_once(
        "torch.qr is deprecated in favor of torch.linalg.qr and will be removed in a future "
        "PyTorch release.\nThe boolean parameter 'some' has been replaced with a string parameter "
        "'mode'.\nQ, R = torch.qr(A, some)\nshould be replaced with\n"
        "Q, R = torch.linalg.qr(A, 'reduced' if some else 'complete')"
    )
    return return_types.qr(linalg_qr(input, "reduced" if some else "complete", out=out))


@public
def geqrf(input: Tensor, *, out: Outs = None) -> return_types.geqrf:
    """Return R and the reflectors of Q in one matrix, and their factors.

    `input`: (..., m, n). Returns `a` (..., m, n) and `tau` (..., min(m, n)). Not differentiable.

    >>> import seegrad as torch
    >>> torch.geqrf(torch.eye(2)).tau.shape
    torch.Size([2])
    """
    if input.dtype.is_complex and is_differentiated(input):
        raise RuntimeError(
            "geqrf does not support automatic differentiation for outputs with complex dtype."
        )
    if out is not None:
        into(out, "geqrf", op.geqrf, input)
        return return_types.geqrf(out)
    return return_types.geqrf(op.geqrf(input))


@public
def householder_product(A: Tensor, tau: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the first columns of a product of reflectors, such as `torch.geqrf` gives.

    `A`: (..., m, n), the reflectors below the diagonal. `tau`: (..., k). Returns (..., m, n).

    >>> import seegrad as torch
    >>> torch.linalg.householder_product(torch.zeros(2, 1), torch.tensor([2.0]))
    tensor([[-1.],
            [ 0.]])
    """
    if out is not None:
        product = op.linalg_householder_product
        return into(out, "linalg_householder_product", product, A, tau)
    return op.linalg_householder_product(A, tau)


@public
def orgqr(input: Tensor, tau: Tensor) -> Tensor:
    """Return the first columns of a product of reflectors, as `householder_product`.

    `input`: (..., m, n). `tau`: (..., k).

    >>> import seegrad as torch
    >>> torch.orgqr(torch.zeros(2, 1), torch.tensor([2.0]))
    tensor([[-1.],
            [ 0.]])
    """
    return op.linalg_householder_product(input, tau)


@public
def ormqr(
    input: Tensor,
    tau: Tensor,
    other: Tensor,
    left: bool = True,
    transpose: bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Return the product of reflectors times a matrix, or the matrix times the product.

    `input`: (..., m, k), the reflectors. `tau`: (..., k). `other`: (..., m, n), or (..., n, m)
    unless `left`. `transpose`: the conjugate transpose of the product.

    >>> import seegrad as torch
    >>> torch.ormqr(torch.zeros(2, 1), torch.tensor([2.0]), torch.ones(2, 1))
    tensor([[-1.],
            [ 1.]])
    """
    args = input, tau, other, left, transpose
    if out is not None:
        return into(out, "ormqr", op.ormqr, *args)
    return op.ormqr(*args)


@public
def eigh(A: Tensor, UPLO: str = "L", *, out: Outs = None) -> return_types.linalg_eigh:
    """Return the eigenvalues and eigenvectors of Hermitian matrices.

    `A`: (..., n, n); only the lower ("L") or upper ("U") triangle is read. Returns `eigenvalues`
    (..., n), real and ascending, and `eigenvectors` (..., n, n) as columns.

    >>> import seegrad as torch
    >>> torch.linalg.eigh(torch.tensor([[2.0, 0.0], [0.0, 1.0]])).eigenvalues
    tensor([1., 2.])
    """
    if out is not None:
        into(out, "linalg_eigh", op.linalg_eigh, A, UPLO, exact=True)
        return return_types.linalg_eigh(out)
    return return_types.linalg_eigh(op.linalg_eigh(A, UPLO))


@public
def eigvalsh(A: Tensor, UPLO: str = "L", *, out: Tensor | None = None) -> Tensor:
    """Return the eigenvalues of Hermitian matrices, ascending.

    `A`: (..., n, n); only one triangle is read. Returns (..., n), real.

    >>> import seegrad as torch
    >>> torch.linalg.eigvalsh(torch.tensor([[2.0, 1.0], [1.0, 2.0]]))
    tensor([1., 3.])
    """
    if out is not None:
        return into(out, "linalg_eigvalsh", op.linalg_eigvalsh, A, UPLO)
    return op.linalg_eigh(A, UPLO)[0] if is_differentiated(A) else op.linalg_eigvalsh(A, UPLO)


@public
def eig(A: Tensor, *, out: Outs = None) -> return_types.linalg_eig:
    """Return the complex eigenvalues and eigenvectors of square matrices.

    `A`: (..., n, n). Returns `eigenvalues` (..., n) and `eigenvectors` (..., n, n) as columns of
    length 1, both complex.

    >>> import seegrad as torch
    >>> torch.linalg.eig(torch.tensor([[2.0, 0.0], [0.0, 1.0]])).eigenvalues
    tensor([2.+0.j, 1.+0.j])
    """
    if out is not None:
        into(out, "linalg_eig", op.linalg_eig, A)
        return return_types.linalg_eig(out)
    return return_types.linalg_eig(op.linalg_eig(A))


@public
def eigvals(A: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the complex eigenvalues of square matrices.

    `A`: (..., n, n). Returns (..., n), complex.

    >>> import seegrad as torch
    >>> torch.linalg.eigvals(torch.tensor([[2.0, 0.0], [0.0, 1.0]]))
    tensor([2.+0.j, 1.+0.j])
    """
    if out is not None:
        if not out.dtype.is_complex:
            raise RuntimeError(
                "torch.linalg.eigvals: Expected eigenvalues to be safely castable from "
                f"{scalar_type_name(op.linalg_eigvals(A).dtype)} dtype, but got eigenvalues with "
                f"dtype {scalar_type_name(out.dtype)}"
            )
        return into(out, "linalg_eigvals", op.linalg_eigvals, A)
    return op.linalg_eig(A)[0] if is_differentiated(A) else op.linalg_eigvals(A)


def _no_driver(driver: str | None) -> None:
    if driver is not None:
        raise RuntimeError(
            "torch.linalg.svd: keyword argument `driver=` is only supported on CUDA inputs with "
            "cuSOLVER backend."
        )


@public
def linalg_svd(
    A: Tensor, full_matrices: bool = True, *, driver: str | None = None, out: Outs = None
) -> return_types.linalg_svd:
    """Return U, S and V^H with `A = U diag(S) V^H`.

    `A`: (..., m, n). Returns `U` (..., m, m), `S` (..., k) real and descending, and `Vh`
    (..., n, n); (..., m, k) and (..., k, n) unless `full_matrices`, with the smaller size k.

    >>> import seegrad as torch
    >>> torch.linalg.svd(torch.tensor([[0.0, 2.0], [1.0, 0.0]])).S
    tensor([2., 1.])
    """
    _no_driver(driver)
    if out is not None:
        into(out, "linalg_svd", op.linalg_svd, A, full_matrices, exact=True)
        return return_types.linalg_svd(out)
    return return_types.linalg_svd(op.linalg_svd(A, full_matrices))


@public
def svdvals(A: Tensor, *, driver: str | None = None, out: Tensor | None = None) -> Tensor:
    """Return the singular values, descending.

    `A`: (..., m, n). Returns (..., min(m, n)), real.

    >>> import seegrad as torch
    >>> torch.linalg.svdvals(torch.tensor([[0.0, 2.0], [1.0, 0.0]]))
    tensor([2., 1.])
    """
    _no_driver(driver)
    if out is not None:
        return into(out, "linalg_svdvals", op.linalg_svdvals, A)
    return singular_values(A)


@public
def svd(
    input: Tensor, some: bool = True, compute_uv: bool = True, *, out: Outs = None
) -> return_types.svd:
    """Return U, S and V with `input = U diag(S) V^H`.

    `input`: (..., m, n). `some`: leave out the columns of U and V that belong to no singular
    value. Without `compute_uv` U and V are zeros.

    >>> import seegrad as torch
    >>> torch.svd(torch.tensor([[0.0, 2.0], [1.0, 0.0]])).S
    tensor([2., 1.])
    """
    if out is not None:
        into(out, "svd", svd, input, some, compute_uv)
        return return_types.svd(out)
    if input._array.ndim < 2:
        raise RuntimeError(
            "linalg.svd: input should have at least 2 dimensions, but has "
            f"{input._array.ndim} dimensions instead"
        )
    if not compute_uv:
        *batch, rows, columns = input._array.shape
        zeros = (wrap(np.zeros((*batch, n, n), input._array.dtype)) for n in (rows, columns))
        return return_types.svd((next(zeros), svdvals(input), next(zeros)))
    U, S, Vh = op.linalg_svd(input, not some)
    V = op.transpose(Vh, -2, -1)
    return return_types.svd((U, S, op.conj(V) if input.dtype.is_complex else V))


@public
def pinv(
    A: Tensor,
    rcond: Limit = None,
    hermitian: bool = False,
    *,
    atol: Limit = None,
    rtol: Limit = None,
    out: Tensor | None = None,
) -> Tensor:
    """Return the pseudo-inverse of each matrix.

    `A`: (..., m, n). Singular values up to `max(atol, rtol * largest)` count as zero; by default
    `rtol` is the larger size times the precision. `hermitian`: read one triangle of a Hermitian
    matrix only. Returns (..., n, m).

    >>> import seegrad as torch
    >>> torch.linalg.pinv(torch.tensor([[2.0, 0.0]]))
    tensor([[0.5000],
            [0.0000]])
    """
    array = A._array
    if array.ndim < 2 or array.dtype.char not in "fdFD":
        raise RuntimeError(
            f"linalg.pinv({scalar_type_name(A.dtype)}{{{list(array.shape)}}}): expected a tensor "
            "with 2 or more dimensions of float, double, cfloat or cdouble types"
        )
    limits = _limits("pinv", A, atol, rcond if rtol is None else rtol)
    if out is not None:
        return into(out, "linalg_pinv", op.linalg_pinv, A, *limits, hermitian)
    return op.linalg_pinv(A, *limits, hermitian)


def _limits(name: str, A: Any, atol: Limit, rtol: Limit) -> tuple[Any, Any]:
    """Both limits as numbers or arrays: what is not given counts only where both are not."""
    for what, value in (("atol", atol), ("rtol", rtol)):
        if isinstance(value, TensorBase) and value.dtype.is_complex:
            raise RuntimeError(
                f"torch.linalg.{name}: {what} tensor of complex type is not supported. Got "
                f"{scalar_type_name(value.dtype)}"
            )
    array = A._array
    precision = np.finfo(array.dtype).eps * max(array.shape[-2:])
    if rtol is None:
        given = np.asarray(getattr(atol, "_array", 0 if atol is None else atol))
        rtol = np.where(given > 0, 0.0, precision)
    atol = 0.0 if atol is None else atol
    return getattr(atol, "_array", atol), getattr(rtol, "_array", rtol)


@public
def pinverse(input: Tensor, rcond: float = 1e-15) -> Tensor:
    """Return the pseudo-inverse of each matrix, as `torch.linalg.pinv`.

    `input`: (..., m, n). `rcond`: smaller singular values, relative to the largest, are zero.

    >>> import seegrad as torch
    >>> torch.pinverse(torch.tensor([[2.0, 0.0]]))
    tensor([[0.5000],
            [0.0000]])
    """
    return pinv(input, rcond)


@public
def matrix_rank(
    A: Tensor,
    tol: Limit = None,
    hermitian: bool = False,
    *,
    atol: Limit = None,
    rtol: Limit = None,
    out: Tensor | None = None,
) -> Tensor:
    """Return the rank of each matrix.

    `A`: (..., m, n). Singular values up to `max(atol, rtol * largest)` count as zero; `tol` is
    `atol` alone. Returns (...), int64.

    >>> import seegrad as torch
    >>> torch.linalg.matrix_rank(torch.ones(2, 2))
    tensor(1)
    """
    array = A._array
    if array.ndim < 2:
        raise RuntimeError(
            "torch.linalg.matrix_rank: The input tensor input must have at least 2 dimensions."
        )
    if array.dtype.char not in "fdFD":
        raise RuntimeError("This function doesn't handle types other than float and double")
    limits = (getattr(tol, "_array", tol), 0.0)
    if tol is None:
        limits = _limits("matrix_rank", A, atol, rtol)
    if out is not None:
        return into(out, "linalg_matrix_rank", op.matrix_ranks, A, *limits, hermitian)
    return op.matrix_ranks(A, *limits, hermitian)


@public
def lstsq(
    A: Tensor, B: Tensor, rcond: float | None = None, *, driver: str | None = None
) -> return_types.linalg_lstsq:
    """Return the X that minimises the norm of `A X - B`, the shortest where several do.

    `A`: (..., m, n). `B`: (..., m, k), or vectors (..., m). Returns `solution`; `residuals`, the
    squared norms, where m > n and the rank is full, unless by "gelsy"; `rank`, unless by "gels";
    `singular_values` by "gelsd" and "gelss".

    >>> import seegrad as torch
    >>> A, B = torch.ones(2, 1, dtype=torch.double), torch.tensor([[1.0], [3.0]]).double()
    >>> torch.linalg.lstsq(A, B).solution.round(decimals=3)
    tensor([[2.]], dtype=torch.float64)
    """
    return return_types.linalg_lstsq(op.linalg_lstsq(A, B, rcond, driver or "gelsy"))


@public
def matrix_exp(input: Tensor) -> Tensor:
    """Return the exponential of each square matrix.

    `input`: (..., n, n), floating point or complex. Raises RuntimeError for other shapes.

    >>> import seegrad as torch
    >>> torch.linalg.matrix_exp(torch.tensor([[0.0, 1.0], [0.0, 0.0]]))
    tensor([[1., 1.],
            [0., 1.]])
    """
    return op.linalg_matrix_exp(input)


@public
def cond(A: Tensor, p: float | str | None = None, *, out: Tensor | None = None) -> Tensor:
    """Return the condition number of each matrix.

    `A`: (..., n, n), or (..., m, n) for 2 and -2. `p`: None or 2 for the ratio of the largest and
    the smallest singular value, -2 for its inverse; "fro", "nuc", inf, -inf, 1 or -1 for the norm
    of the matrix times that of its inverse. Returns (...), real; infinite for a singular matrix.

    >>> import seegrad as torch
    >>> torch.linalg.cond(torch.tensor([[4.0, 0.0], [0.0, 2.0]]))
    tensor(2.)
    """
    if out is not None:
        return into(out, "linalg_cond", cond, A, p)
    array = A._array
    if array.ndim < 2:
        raise RuntimeError("linalg.cond: The input tensor must have at least 2 dimensions.")
    if p not in (None, 2, -2, 1, -1, float("inf"), -float("inf"), "fro", "nuc"):
        raise RuntimeError(f"linalg.cond got an invalid norm type: {p}")
    if not array.size:
        return wrap(np.zeros(array.shape[:-2], array.real.dtype))
    if p in (None, 2, -2):
        values = svdvals(A)
        count = values._array.shape[-1]
        first, last = op.slice(values, -1, 0, 1), op.slice(values, -1, count - 1, count)
        return op.squeeze_dim(last / first if p == -2 else first / last, -1)
    need_square(f"linalg.cond(ord={p})", array)
    if p == "nuc":
        values = svdvals(A)
        return op.sum_dim(values, (-1,), False) * op.sum_dim(op.reciprocal(values), (-1,), False)
    return _norms_multiplied(A, p)


def _norms_multiplied(A: Any, p: Any) -> Any:
    inverse, info = op.linalg_inv_ex(A, False)
    singular = op.unsqueeze(op.unsqueeze(op.ne(info, 0), -1), -1)
    inverse = op.masked_fill(inverse, singular, float("inf"))
    product = matrix_norm(A, p) * matrix_norm(inverse, p)
    return op.nan_to_num(product, math.inf, math.inf, -math.inf)


@public
def ldl_factor(
    A: Tensor, *, hermitian: bool = False, out: Outs = None
) -> return_types.linalg_ldl_factor:
    """Return L and D of symmetric matrices in one, and the exchanges. Not differentiable.

    `A`: (..., n, n), symmetric, or Hermitian if said so. Returns `LD` and `pivots`, int32.

    >>> import seegrad as torch
    >>> torch.linalg.ldl_factor(torch.eye(2)).pivots
    tensor([1, 2], dtype=torch.int32)
    """
    LD, pivots, _ = op.linalg_ldl_factor_ex(A, hermitian, True)
    if out is not None:
        into(out, "linalg_ldl_factor", lambda: (LD, pivots))
        return return_types.linalg_ldl_factor(out)
    return return_types.linalg_ldl_factor((LD, pivots))


@public
def ldl_factor_ex(
    A: Tensor, *, hermitian: bool = False, check_errors: bool = False, out: Outs = None
) -> return_types.linalg_ldl_factor_ex:
    """Return LDL factors, and where D has a zero. Not differentiable.

    `A`: (..., n, n). Returns `LD`, `pivots` and `info`, int32.

    >>> import seegrad as torch
    >>> torch.linalg.ldl_factor_ex(torch.eye(2)).info
    tensor(0, dtype=torch.int32)
    """
    args = A, hermitian, check_errors
    if out is not None:
        into(out, "linalg_ldl_factor_ex", op.linalg_ldl_factor_ex, *args)
        return return_types.linalg_ldl_factor_ex(out)
    return return_types.linalg_ldl_factor_ex(op.linalg_ldl_factor_ex(*args))


@public
def ldl_solve(
    LD: Tensor,
    pivots: Tensor,
    B: Tensor,
    *,
    hermitian: bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """Return X of `A X = B` by the LDL factors of A. Not differentiable.

    `LD`: (..., n, n). `pivots`: (..., n), int32. `B`: (..., n, k).

    >>> import seegrad as torch
    >>> torch.linalg.ldl_solve(*torch.linalg.ldl_factor(torch.eye(1) * 2), torch.ones(1, 1))
    tensor([[0.5000]])
    """
    args = LD, pivots, B, hermitian
    if out is not None:
        return into(out, "linalg_ldl_solve", op.linalg_ldl_solve, *args)
    return op.linalg_ldl_solve(*args)
