"""Kernels of decompositions: QR, eigenvalues, singular values, and what is made of them.

Batched by NumPy's own loops; LDL and matrix exponentials are SciPy's, matrix by matrix.
"""

from typing import Any

import numpy as np

from seegrad.arrays.matrices import (
    adjoint,
    kind_name,
    need_float,
    need_lapack,
    need_matrix,
    need_same,
    need_square,
    together,
)
from seegrad.errors import LinAlgError

Array = Any


def linalg_qr(A: Array, mode: Any = "reduced") -> tuple[Array, Array]:
    """Q and R with `A = Q R`; mode "r" leaves Q out, "complete" makes it square."""
    name = "linalg.qr"
    need_matrix(name, A)
    need_float(name, A)
    if mode not in ("reduced", "complete", "r"):
        raise RuntimeError(
            f"qr received unrecognized mode '{mode}' but expected one of 'reduced' (default), "
            "'r', or 'complete'"
        )
    need_lapack("geqrf_cpu", A)
    if mode == "r":
        return np.empty(0, A.dtype), np.linalg.qr(A, "r")
    Q, R = np.linalg.qr(A, mode)
    return Q, R


def geqrf(self: Array) -> tuple[Array, Array]:
    """QR as LAPACK keeps it: R above, the reflectors below, and their factors."""
    if self.ndim < 2:
        raise RuntimeError("torch.geqrf: input must have at least 2 dimensions.")
    need_lapack("geqrf_cpu", self)
    packed, tau = np.linalg.qr(self, "raw")
    return packed.mT, tau


def linalg_householder_product(input: Array, tau: Array) -> Array:
    """The first columns of the product of the reflectors `I - tau v v^H`."""
    _need_reflectors("torch.linalg.householder_product", input, tau)
    rows, columns = input.shape[-2:]
    if rows < columns:
        raise RuntimeError(
            "torch.linalg.householder_product: input.shape[-2] must be greater than or equal to "
            "input.shape[-1]"
        )
    if columns < tau.shape[-1]:
        raise RuntimeError(
            "torch.linalg.householder_product: input.shape[-1] must be greater than or equal to "
            "tau.shape[-1]"
        )
    need_lapack("orgqr_cpu", input)
    eye = np.eye(rows, columns, dtype=input.dtype)
    return _reflected(input, tau, np.broadcast_to(eye, input.shape), False)


def _need_reflectors(name: str, input: Array, tau: Array) -> None:
    if input.ndim < 2:
        raise RuntimeError(f"{name}: input must have at least 2 dimensions.")
    if input.ndim - tau.ndim != 1:
        raise RuntimeError(
            f"{name}: Expected tau to have one dimension less than input, but got tau.ndim equal "
            f"to {tau.ndim} and input.ndim is equal to {input.ndim}"
        )
    if input.shape[:-2] != tau.shape[:-1]:
        raise RuntimeError(
            f"{name}: Expected batch dimensions of tau to be equal to input.shape[:-2], but got "
            f"{list(tau.shape[:-1])}"
        )
    if tau.dtype != input.dtype:
        raise RuntimeError(
            f"{name}: tau dtype {kind_name(tau)} does not match input dtype {kind_name(input)}"
        )


def _reflected(input: Array, tau: Array, other: Array, transpose: bool) -> Array:
    """Q or Q^H times `other`, reflector by reflector."""
    out = np.array(other)
    count = tau.shape[-1]
    for place in range(count) if transpose else reversed(range(count)):
        v = np.tril(input, -1)[..., place, None].copy()
        v[..., place, :] = 1
        factor = tau[..., place, None, None]
        out -= (factor.conj() if transpose else factor) * v * (adjoint(v) @ out)
    return out


def ormqr(
    self: Array, input2: Array, input3: Array, left: bool = True, transpose: bool = False
) -> Array:
    """Q, of the reflectors in `self`, times `input3`, or from the right."""
    _need_product("torch.ormqr", self, input2, input3, left)
    if left:
        return _reflected(self, input2, input3, transpose)
    return adjoint(_reflected(self, input2, adjoint(input3), not transpose)).copy()


def _need_product(name: str, input: Array, tau: Array, other: Array, left: bool) -> None:
    for array, what in ((input, "input"), (other, "other")):
        if array.ndim < 2:
            raise RuntimeError(f"{name}: {what} must have at least 2 dimensions.")
    size, dim = other.shape[-2 if left else -1], -2 if left else -1
    if size < tau.shape[-1]:
        raise RuntimeError(
            f"{name}: other.shape[{dim}] must be greater than or equal to tau.shape[-1]"
        )
    if size != input.shape[-2]:
        raise RuntimeError(f"{name}: other.shape[{dim}] must be equal to input.shape[-2]")
    if tau.shape[-1] != min(size, input.shape[-1]):
        raise RuntimeError(
            f"{name}: tau.shape[-1] must be equal to min(other.shape[{dim}], input.shape[-1])"
        )
    for array, what in ((tau, "tau"), (other, "other")):
        if array.dtype != input.dtype:
            raise RuntimeError(
                f"{name}: Expected input and {what} to have the same dtype, but input has dtype"
                f"{kind_name(input)} and {what} has dtype {kind_name(array)}"
            )
    need_lapack("ormqr_cpu", input)


def linalg_eigh(A: Array, UPLO: Any = "L") -> tuple[Array, Array]:
    """Real eigenvalues in ascending order and the eigenvectors; one triangle of A counts."""
    _need_triangle(A, UPLO)
    try:
        values, vectors = np.linalg.eigh(A, UPLO.upper())
    except np.linalg.LinAlgError:
        raise _diverged("linalg.eigh", A) from None
    return values, vectors


def linalg_eigvalsh(A: Array, UPLO: Any = "L") -> Array:
    """The eigenvalues alone."""
    _need_triangle(A, UPLO)
    return np.linalg.eigvalsh(A, UPLO.upper())


def _need_triangle(A: Array, UPLO: Any) -> None:
    need_square("linalg.eigh", A)
    if UPLO.upper() not in ("L", "U"):
        raise RuntimeError(f"Expected UPLO argument to be 'L' or 'U', but got {UPLO}")
    need_lapack("linalg_eigh_cpu", A)


def _diverged(name: str, A: Array) -> LinAlgError:
    """The error for a decomposition that did not converge."""
    bad = ~np.isfinite(A).all((-2, -1))
    where = f"(Batch element {int(np.flatnonzero(bad.reshape(-1))[0])}): " if bad.any() else ""
    why = (
        "the input matrix contained non-finite values."
        if bad.any()
        else "the input matrix is ill-conditioned or has too many repeated values."
    )
    where = where if A.ndim > 2 else ""
    return LinAlgError(f"{name}: {where}The algorithm failed to converge because {why}")


def linalg_eig(A: Array) -> tuple[Array, Array]:
    """Complex eigenvalues and eigenvectors of length 1."""
    _need_complex_kind("linalg.eig", A)
    values, vectors = np.linalg.eig(A)
    kind = np.result_type(A.dtype, np.complex64)
    return values.astype(kind, copy=False), vectors.astype(kind, copy=False)


def linalg_eigvals(A: Array) -> Array:
    """The eigenvalues alone."""
    _need_complex_kind("linalg.eigvals", A)
    return np.linalg.eigvals(A).astype(np.result_type(A.dtype, np.complex64), copy=False)


def _need_complex_kind(name: str, A: Array) -> None:
    need_square(name, A)
    if A.dtype.kind in "iub":
        raise RuntimeError(f"Unknown Complex ScalarType for {kind_name(A)}")
    need_lapack("linalg_eig_out_cpu", A)
    if not np.isfinite(A).all():
        raise RuntimeError("torch.linalg.eig: input tensor should not contain infs or NaNs.")


def linalg_svd(A: Array, full_matrices: bool = True) -> tuple[Array, Array, Array]:
    """U, S in descending order, and V^H."""
    _need_values(A)
    try:
        U, S, Vh = np.linalg.svd(A, full_matrices)
    except np.linalg.LinAlgError:
        raise _diverged("linalg.svd", A) from None
    return U, S, Vh


def linalg_svdvals(A: Array) -> Array:
    """The singular values alone."""
    if not A.size and A.dtype.kind not in "iub" and A.ndim > 1:
        return np.empty((*A.shape[:-2], min(A.shape[-2:])), A.real.dtype)
    _need_values(A)
    try:
        return np.linalg.svd(A, compute_uv=False)
    except np.linalg.LinAlgError:
        raise _diverged("linalg.svd", A) from None


def _need_values(A: Array) -> None:
    need_matrix("linalg.svd", A)
    need_float("linalg.svd", A)
    need_lapack("linalg_svd_cpu", A)


def linalg_pinv(self: Array, atol: Any, rtol: Any, hermitian: bool = False) -> Array:
    """The pseudo-inverse; singular values up to `max(atol, rtol * largest)` count as zero.

    `rtol` is by default the precision times the larger size.
    """
    if not self.size:
        return np.empty((*self.shape[:-2], self.shape[-1], self.shape[-2]), self.dtype)
    rtol = np.finfo(self.dtype).eps * max(self.shape[-2:]) if rtol is None else rtol
    if hermitian:
        values, U = linalg_eigh(self)
        sizes, Vh = np.abs(values), adjoint(U)
        largest = sizes.max(-1, keepdims=True)
    else:
        U, values, Vh = linalg_svd(self, False)
        sizes, largest = values, values[..., :1]
    counts = sizes > _limit(atol, rtol, largest)
    inverse = np.where(counts, 1 / np.where(counts, values, 1), 0).astype(self.dtype)
    return (adjoint(Vh) * inverse[..., None, :]) @ adjoint(U)


def _limit(atol: Any, rtol: Any, largest: Array) -> Array:
    """From which size on a value counts as more than zero."""
    return np.maximum(np.asarray(atol)[..., None], np.asarray(rtol)[..., None] * largest)


def matrix_ranks(self: Array, atol: Any, rtol: Any, hermitian: bool = False) -> Array:
    """How many singular values are larger than that."""
    values = np.abs(linalg_eigvalsh(self)) if hermitian else linalg_svdvals(self)
    if not self.size:
        return np.zeros(self.shape[:-2], np.int64)
    largest = values.max(-1, keepdims=True)
    return np.asarray((values > _limit(atol, rtol, largest)).sum(-1))


def linalg_lstsq(
    self: Array, b: Array, rcond: float | None, driver: str
) -> tuple[Array, Array, Array, Array]:
    """The shortest of the least-squares solutions, by singular values, as every driver has it."""
    _need_equations(self, b, driver)
    rows, columns = self.shape[-2:]
    vector = _is_batch_of_vectors(self, b)
    A, B = together(self, b[..., None] if vector else b)
    U, S, Vh = linalg_svd(A, False)
    rcond = np.finfo(A.dtype).eps * max(rows, columns) if rcond is None else rcond
    counts = (0 if driver == "gels" else rcond) * S[..., :1] < S
    inverse = np.where(counts, 1 / np.where(counts, S, 1), 0)
    X = adjoint(Vh) @ (inverse[..., None].astype(A.dtype) * (adjoint(U) @ B))
    rank = counts.sum(-1)
    residuals = np.empty(0, S.dtype)
    if driver != "gelsy" and rows > columns and (rank == columns).all():
        residuals = (np.abs(A @ X - B) ** 2).sum(-2)
    solution = X[..., 0] if vector else X
    none = driver == "gels"
    values = S if driver in ("gelsd", "gelss") else np.empty(0, S.dtype)
    return solution, residuals, np.empty(0, np.int64) if none else np.asarray(rank), values


def _is_batch_of_vectors(A: Array, b: Array) -> bool:
    return bool(A.ndim - 1 == b.ndim and A.shape[:-1] == b.shape)


def _need_equations(A: Array, b: Array, driver: str) -> None:
    name = "torch.linalg.lstsq"
    if A.ndim < 2:
        raise RuntimeError(f"{name}: input must have at least 2 dimensions.")
    if b.ndim < 1:
        raise RuntimeError(f"{name}: other must have at least 1 dimension.")
    if A.dtype.kind in "iub" or A.dtype.char not in "fdFD":
        raise RuntimeError("This function doesn't handle types other than float and double")
    if A.dtype != b.dtype:
        raise RuntimeError(
            f"{name}: Expected input and other to have the same dtype, but got input's dtype "
            f"{kind_name(A)} and other's dtype {kind_name(b)}"
        )
    dim = -1 if _is_batch_of_vectors(A, b) else -2
    if A.ndim < b.ndim - 1 or b.ndim < 1 or b.shape[dim:][:1] != A.shape[-2:-1]:
        raise RuntimeError(f"{name}: input.size(-2) should match other.size({dim})")
    if driver not in ("gels", "gelsy", "gelsd", "gelss"):
        raise RuntimeError(
            f"{name}: parameter `driver` should be one of (gels, gelsy, gelsd, gelss)"
        )


def linalg_matrix_exp(self: Array) -> Array:
    """The exponentials of square matrices."""
    need_square("linalg.matrix_exp", self)
    need_float("linalg.matrix_exp", self)
    if not self.size:
        return self.copy()
    if not np.isfinite(self).all():
        return np.full_like(self, np.nan)
    from scipy.linalg import expm

    return np.asarray(expm(self))


def linalg_ldl_factor_ex(
    self: Array, hermitian: bool = False, check_errors: bool = False
) -> tuple[Array, Array, Array]:
    """L and D of symmetric matrices in one, the exchanges (from 1), and where D has a zero."""
    from scipy.linalg.lapack import get_lapack_funcs

    name = "torch.linalg.ldl_factor_ex"
    need_square(name, self)
    need_float(name, self)
    pivots, info = np.zeros(self.shape[:-1], np.int32), np.zeros(self.shape[:-2], np.int32)
    if not self.size:
        return self.copy(), pivots, info
    need_lapack("ldl_factor_kernel_cpu", self)
    LD = np.tril(self)
    kind = "hetrf" if hermitian and self.dtype.kind == "c" else "sytrf"
    factor = get_lapack_funcs(kind, (LD,))
    for place in np.ndindex(self.shape[:-2]):
        LD[place], pivots[place], info[place] = factor(LD[place], lower=True)
    if check_errors and info.any():
        raise RuntimeError(f"{name}: D has a zero on its diagonal")
    return np.tril(LD), pivots, info


def linalg_ldl_solve(LD: Array, pivots: Array, B: Array, hermitian: bool = False) -> Array:
    """X of `A X = B` by the factors of a symmetric A."""
    from scipy.linalg.lapack import get_lapack_funcs

    need_same("torch.linalg.ldl_solve", "LD", LD, "B", B)
    if LD.shape[-1] != B.shape[-2]:
        raise RuntimeError(
            "Incompatible matrix sizes for torch.linalg.ldl_solve: each A matrix is "
            f"{LD.shape[-1]} by {LD.shape[-1]} but each b matrix is {B.shape[-2]} by {B.shape[-1]}"
        )
    LD, B = together(LD, B)
    pivots = np.broadcast_to(pivots, LD.shape[:-1])
    kind = "hetrs" if hermitian and LD.dtype.kind == "c" else "sytrs"
    solve, X = get_lapack_funcs(kind, (LD, B)), np.empty(B.shape, B.dtype)
    for place in np.ndindex(B.shape[:-2]) if B.size else ():
        X[place] = solve(LD[place], pivots[place], B[place], lower=True)[0]
    return X
