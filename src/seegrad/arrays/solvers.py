"""Kernels of linear systems: determinants, inverses, triangular, LU and Cholesky factors.

Batched by NumPy's own loops. LU and triangular systems are SciPy's, matrix by matrix.
"""

from math import prod
from typing import Any

import numpy as np

from seegrad.arrays.matrices import (
    adjoint,
    each,
    kind_name,
    member,
    need_fit,
    need_float,
    need_lapack,
    need_matrix,
    need_same,
    need_square,
    refuse_singular,
    together,
)

Array = Any

_mH = adjoint  # where a parameter has that name


def linalg_det(A: Array) -> Array:
    """The determinants of square matrices."""
    need_square("linalg.det", A)
    need_float("linalg.det", A)
    need_lapack("lu_cpu", A)
    return np.asarray(np.linalg.det(A))


def linalg_slogdet(A: Array) -> tuple[Array, Array]:
    """Sign and logarithm of the absolute value of determinants."""
    need_square("linalg.slogdet", A)
    need_float("linalg.slogdet", A, low=False)
    sign, logabsdet = np.linalg.slogdet(A)
    return np.asarray(sign), np.asarray(logabsdet)


def det_shift(A: Array) -> tuple[Array, Array]:
    """`left` (..., n, k) and `right` (..., k, n) that make `A + left @ right` regular.

    k is 0 where all matrices are regular already; else the k smallest singular values of the
    worst matrix are too small, and the largest is added to as many of each.
    """
    size, limit = A.shape[-1], np.finfo(A.dtype).eps ** 0.5
    empty = np.zeros((*A.shape[:-1], 0), A.dtype), np.zeros((*A.shape[:-2], 0, size), A.dtype)
    if not A.size or not np.isfinite(A).all() or _is_regular(A, limit):
        return empty
    U, S, Vh = np.linalg.svd(A)
    largest = np.where(S[..., :1] > 0, S[..., :1], 1)
    count = int((limit * largest >= S).sum(-1).max())
    left = U[..., size - count :] * largest[..., None].astype(A.dtype)
    return left, np.ascontiguousarray(Vh[..., size - count :, :])


def _is_regular(A: Array, limit: float) -> bool:
    """Whether inverses are exact to half of the digits."""
    try:
        inverse = np.linalg.inv(A)
    except np.linalg.LinAlgError:
        return False
    product = np.abs(A).sum(-1).max(-1) * np.abs(inverse).sum(-1).max(-1)
    return bool((product * limit < 1).all())


def linalg_inv_ex(A: Array, check_errors: bool = False) -> tuple[Array, Array]:
    """Inverses, and where the zero stands that forbids one (0 where there is none)."""
    need_square("linalg.inv", A)
    need_float("linalg.inv", A, low=False)
    info = np.zeros(A.shape[:-2], np.int32)
    try:
        return by_columns(np.linalg.inv(A)), info
    except np.linalg.LinAlgError:
        LU, pivots, info = linalg_lu_factor_ex(A)
    if check_errors:
        refuse_inverse("linalg.inv_ex", info)
    eye = np.broadcast_to(np.eye(A.shape[-1], dtype=A.dtype), A.shape)
    return linalg_lu_solve(LU, pivots, eye), info


def by_columns(array: Array) -> Array:
    """The same matrices, each column by column in memory, as LAPACK leaves them in PyTorch."""
    return np.ascontiguousarray(array.mT).mT


def refuse_inverse(name: str, info: Array) -> None:
    """Raises LinAlgError where a matrix has no inverse."""
    refuse_singular(
        name,
        info,
        lambda code: (
            f"The diagonal element {code} is zero, the inversion could not be completed because "
            "the input matrix is singular."
        ),
    )


def is_vector(A_shape: tuple[int, ...], B_shape: tuple[int, ...]) -> bool:
    """Whether a right-hand side is a vector, or a batch of them, rather than matrices."""
    return len(B_shape) == 1 or (len(A_shape) - 1 == len(B_shape) and A_shape[:-1] == B_shape)


def linalg_solve_ex(
    A: Array, B: Array, left: bool = True, check_errors: bool = False
) -> tuple[Array, Array]:
    """X of `A X = B` or `X A = B`, and where a zero stands that forbids it (0 if nowhere)."""
    need_square("linalg.solve", A)
    need_float("linalg.solve", A)
    need_same("linalg.solve", "A", A, "B", B)
    vector = is_vector(A.shape, B.shape)
    B = B[..., None] if vector else B
    need_matrix("linalg.solve", B, "B")
    need_fit("linalg.solve", A, B, left)
    need_lapack("lu_cpu", A)
    A, B = together(A, B)
    info = np.zeros(A.shape[:-2], np.int32)
    try:
        X = np.linalg.solve(A, B) if left else np.linalg.solve(A.mT, B.mT).mT
    except np.linalg.LinAlgError:
        LU, pivots, info = linalg_lu_factor_ex(A)
        if check_errors:
            refuse_solution("torch.linalg.solve_ex", info)
        X = linalg_lu_solve(LU, pivots, B, left)
    return (X[..., 0] if vector else X), info


def refuse_solution(name: str, info: Array) -> None:
    """Raises LinAlgError where a system has no solution."""
    refuse_singular(
        name, info, lambda code: "The solver failed because the input matrix is singular."
    )


def linalg_solve_triangular(
    self: Array, B: Array, upper: bool, left: bool = True, unitriangular: bool = False
) -> Array:
    """X of `A X = B` or `X A = B`, where only one triangle of A counts."""
    name = "linalg.solve_triangular"
    need_square(name, self)
    need_matrix(name, B, "B")
    need_fit(name, self, B, left)
    need_lapack("triangular_solve_cpu", self)
    kind = np.result_type(self, B)
    A, B = together(self.astype(kind, copy=False), B.astype(kind, copy=False))
    return _triangular(A, B, upper, left, unitriangular)


def _triangular(A: Array, B: Array, upper: bool, left: bool = True, unit: bool = False) -> Array:
    """The same for shapes that fit, matrix by matrix."""
    from scipy.linalg.blas import get_blas_funcs

    out = np.empty(B.shape, B.dtype)
    if not out.size:
        return out
    trsm = get_blas_funcs("trsm", (A, B))
    for a, b, x in each(A, B, out):
        x[...] = trsm(1, a, b, side=not left, lower=not upper, diag=unit)
    return out


def triangular_solve(
    self: Array, A: Array, upper: bool = True, transpose: bool = False, unitriangular: bool = False
) -> tuple[Array, Array]:
    """X of `A X = B` with B first, as `torch.triangular_solve` has it, and a copy of A."""
    for array, what in ((self, "b"), (A, "A")):
        if array.ndim < 2:
            raise RuntimeError(
                f"torch.triangular_solve: Expected {what} to have at least 2 dimensions, but it "
                f"has {array.ndim} dimensions instead"
            )
    _need_pair("triangular_solve", self, A)
    need_lapack("triangular_solve_cpu", A)
    A, B = together(A, self)
    factor = A.mT if transpose else A
    return _triangular(factor, B, upper is not transpose, True, unitriangular), A.copy()


def _need_pair(name: str, B: Array, A: Array) -> None:
    """The refusals of the older solvers."""
    if A.shape[-1] != A.shape[-2]:
        raise RuntimeError(
            f"A must be batches of square matrices, but they are {A.shape[-2]} by {A.shape[-1]} "
            "matrices"
        )
    if A.shape[-2] != B.shape[-2]:
        raise RuntimeError(
            f"Incompatible matrix sizes for {name}: each A matrix is {A.shape[-1]} by "
            f"{A.shape[-1]} but each b matrix is {B.shape[-2]} by {B.shape[-1]}"
        )
    if A.dtype != B.dtype:
        raise RuntimeError(
            f"Expected b and A to have the same dtype, but found b of type {kind_name(B)} and A "
            f"of type {kind_name(A)} instead."
        )


def linalg_lu_factor_ex(
    A: Array, pivot: bool = True, check_errors: bool = False
) -> tuple[Array, Array, Array]:
    """Both factors in one matrix, the rows exchanged (from 1), and where U has a zero."""
    from scipy.linalg.lapack import get_lapack_funcs

    _need_sizes("torch.lu_factor", A)
    if A.size:
        need_lapack("lu_cpu", A)
    if not pivot:
        raise RuntimeError("linalg.lu_factor: LU without pivoting is not implemented on the CPU")
    LU = np.array(A, order="C")
    pivots = np.empty((*A.shape[:-2], min(A.shape[-2:])), np.int32)
    info = np.zeros(A.shape[:-2], np.int32)
    if LU.size:
        getrf = get_lapack_funcs("getrf", (A,))
        for place in np.ndindex(A.shape[:-2]):
            LU[place], pivots[place], info[place] = getrf(A[place])
        pivots += 1
    if check_errors:
        refuse_factors("torch.linalg.lu_factor_ex", info)
    return LU, pivots, info


def refuse_factors(name: str, info: Array) -> None:
    """Raises where U has a zero on its diagonal."""
    if info.any():
        where, code = member(info)
        raise RuntimeError(
            f"{name}: {where}U[{code},{code}] is zero and using it on lu_solve would result in a "
            "division by zero. If you still want to perform the factorization, consider calling "
            "linalg.lu(A, pivot) or linalg.lu_factor_ex(A, pivot)"
        )


def _need_sizes(name: str, A: Array) -> None:
    if A.ndim < 2:
        raise RuntimeError(
            f"{name}: Expected tensor with 2 or more dimensions. Got size: {list(A.shape)} instead"
        )


def linalg_lu(A: Array, pivot: bool = True) -> tuple[Array, Array, Array]:
    """P, L and U with `A = P L U`."""
    _need_sizes("linalg.lu", A)
    LU, pivots, _ = linalg_lu_factor_ex(A, pivot)
    return lu_unpack(LU, pivots)


def lu_unpack(
    LU_data: Array, LU_pivots: Array, unpack_data: bool = True, unpack_pivots: bool = True
) -> tuple[Array, Array, Array]:
    """P, L and U of what `lu_factor` gave; empty what is not asked for."""
    _need_sizes("torch.lu_unpack", LU_data)
    rows, columns = LU_data.shape[-2:]
    least = min(rows, columns)
    P = L = U = np.empty(0, LU_data.dtype)
    if unpack_pivots:
        _need_pivots(LU_pivots, rows, least)
        order = _order(LU_pivots, LU_data.shape[:-2], rows)
        P = np.zeros((*LU_data.shape[:-2], rows, rows), LU_data.dtype)
        np.put_along_axis(P, order[..., None, :], 1, -2)
    if unpack_data:
        L = np.tril(LU_data[..., :least], -1) + np.eye(rows, least, dtype=LU_data.dtype)
        U = np.triu(LU_data[..., :least, :])
    return P, L, U


def _need_pivots(pivots: Array, rows: int, least: int) -> None:
    if pivots.dtype != np.int32:
        raise RuntimeError(
            "torch.lu_unpack: LU_pivots is expected to be a contiguous tensor of torch.int32 "
            "dtype.\nNote: this function is intended to be used with the output produced by "
            "torch.linalg.lu_factor"
        )
    if pivots.shape[-1] != least or ((pivots < 1) | (pivots > rows)).any():
        raise RuntimeError(
            "pivots passed to lu_unpack must be between 1 and LU.size(-2) inclusive.Did you "
            "properly pass the result of lu_factor?"
        )


def _order(pivots: Array, batch: tuple[int, ...], rows: int) -> Array:
    """Which row of A each row of `L U` is, from the exchanges; in Python, where 50 cost 5 us."""
    orders = []
    for exchanges in pivots.reshape(prod(batch), pivots.shape[-1]).tolist():
        order = list(range(rows))
        for step, other in enumerate(exchanges):
            order[step], order[other - 1] = order[other - 1], order[step]
        orders.append(order)
    return np.array(orders, np.int64).reshape(*batch, rows)


def linalg_lu_solve(
    LU: Array, pivots: Array, B: Array, left: bool = True, adjoint: bool = False
) -> Array:
    """X of `A X = B` or `X A = B` by the factors of A, or of its conjugate transpose."""
    _need_factors(LU, pivots, B, left)
    if not left:
        return _mH(linalg_lu_solve(LU, pivots, _mH(B), True, not adjoint))
    LU, B = together(LU, B)
    batch, size = LU.shape[:-2], LU.shape[-1]
    order = _order(np.broadcast_to(pivots, (*batch, size)), batch, size)[..., None]
    if not adjoint:
        X = np.take_along_axis(B, order, -2)
        return _triangular(LU, _triangular(LU, X, False, unit=True), True)
    factor = _mH(LU)
    X = _triangular(factor, _triangular(factor, B, False), True, unit=True)
    out = np.empty_like(X)
    np.put_along_axis(out, np.broadcast_to(order, X.shape), X, -2)
    return out


def _need_factors(LU: Array, pivots: Array, B: Array, left: bool) -> None:
    name = "linalg.lu_solve"
    if pivots.dtype != np.int32:
        raise RuntimeError(f"{name}: pivots should be a Tensor of scalar type torch.int32")
    need_same(name, "LU", LU, "B", B)
    need_square("torch.linalg.lu_solve", LU)
    need_matrix(name, B, "B")
    need_fit(name, LU, B, left)
    if pivots.shape[-1] != LU.shape[-1]:
        raise RuntimeError(
            f"{name}: Number of pivots per batch should be same as the dimension of the matrix"
        )
    need_lapack("lu_solve_cpu", LU)


def linalg_cholesky_ex(
    A: Array, upper: bool = False, check_errors: bool = False
) -> tuple[Array, Array]:
    """Factors with `A = L L^H`, and the order of the first minor that is not positive."""
    need_square("linalg.cholesky", A)
    need_float("linalg.cholesky", A)
    L, info = _cholesky(A, upper)
    if check_errors:
        refuse_indefinite("linalg.cholesky_ex", info)
    return L, info


def cholesky(self: Array, upper: bool = False) -> Array:
    """Factors with `A = L L^H`, as `torch.cholesky` gives them."""
    need_square("cholesky", self)
    L, info = _cholesky(self, upper)
    refuse_indefinite("cholesky", info)
    return L


def _cholesky(A: Array, upper: bool) -> tuple[Array, Array]:
    from scipy.linalg.lapack import get_lapack_funcs

    info = np.zeros(A.shape[:-2], np.int32)
    if not A.size:
        return A.copy(), info
    need_lapack("cholesky_cpu", A)
    try:
        L = np.linalg.cholesky(A, upper=upper)
        if np.isfinite(L).all():
            return L, info
    except np.linalg.LinAlgError:
        pass
    potrf, L = get_lapack_funcs("potrf", (A,)), np.empty(A.shape, A.dtype)
    for place in np.ndindex(A.shape[:-2]):
        L[place], info[place] = potrf(A[place], lower=not upper)
    numbers = np.isfinite(np.diagonal(L, axis1=-2, axis2=-1))
    unseen = (info == 0) & ~numbers.all(-1)  # NaN, which LAPACK passes on
    return L, np.where(unseen, numbers.argmin(-1) + 1, info).astype(np.int32)


def refuse_indefinite(name: str, info: Array) -> None:
    """Raises LinAlgError where a matrix is not positive-definite."""
    refuse_singular(
        name,
        info,
        lambda code: (
            "The factorization could not be completed because the input is not positive-definite "
            f"(the leading minor of order {code} is not positive-definite)."
        ),
    )


def cholesky_solve(self: Array, input2: Array, upper: bool = False) -> Array:
    """X of `L L^H X = B`, B first."""
    for array, what in ((self, "b"), (input2, "u")):
        if array.ndim < 2:
            raise RuntimeError(
                f"{what} should have at least 2 dimensions, but has {array.ndim} dimensions "
                "instead"
            )
    _need_pair("cholesky_solve", self, input2)
    need_lapack("cholesky_solve_cpu", input2)
    L, B = together(input2, self)
    if upper:
        L = adjoint(L)
    return _triangular(adjoint(L), _triangular(L, B, False), True)


def cholesky_inverse(self: Array, upper: bool = False) -> Array:
    """The inverse of `L L^H`."""
    need_square("cholesky_inverse", self)
    need_lapack("cholesky_inverse_out_cpu", self)
    eye = np.broadcast_to(np.eye(self.shape[-1], dtype=self.dtype), self.shape)
    return cholesky_solve(eye, self, upper)
