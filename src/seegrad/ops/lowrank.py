"""Public decompositions of low rank: the space of the largest singular values, found at random."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from seegrad.arrays.normal import normal
from seegrad.graph.tensor import wrap
from seegrad.ops.reduce import mean
from seegrad.ops.spectra import linalg_qr, linalg_svd

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

Triple = tuple["Tensor", "Tensor", "Tensor"]


def svd_lowrank(
    A: Tensor, q: int | None = 6, niter: int | None = 2, M: Tensor | None = None
) -> Triple:
    """Return U, S and V of about `q` singular values of `A - M`.

    `A`: (..., m, n). `niter`: how often the space is improved. `M`: broadcast to A, for instance
    a mean. Returns (..., m, k), (..., k) and (..., n, k), with k at most q.

    >>> import seegrad as torch
    >>> U, S, V = torch.svd_lowrank(torch.eye(4), q=2)
    >>> U.shape, S.shape, V.shape
    (torch.Size([4, 2]), torch.Size([2]), torch.Size([4, 2]))
    """
    rows, columns = A.shape[-2:]
    M = None if M is None else M.broadcast_to(A.shape)
    if rows < columns:
        V, S, U = svd_lowrank(A.mH, q, niter, None if M is None else M.mH)
        return U, S, V
    Q = basis(A, 6 if q is None else q, 2 if niter is None else niter, M)
    B = less(Q.mH @ A, Q.mH, M)
    U, S, Vh = linalg_svd(B, full_matrices=False)
    return Q @ U, S, Vh.mH


def less(product: Any, factor: Any, M: Any, left: bool = True) -> Any:
    """A product with A, less that with M."""
    if M is None:
        return product
    return product - (factor @ M if left else M @ factor)


def basis(A: Any, q: int, niter: int, M: Any) -> Any:
    """Orthonormal columns that span most of the columns of `A - M`."""
    R = wrap(normal(None, (A.shape[-1], q), A.dtype.numpy))
    Q = linalg_qr(less(A @ R, R, M, False)).Q
    for _ in range(niter):
        back = A.mH @ Q
        Q = linalg_qr(back if M is None else back - M.mH @ Q).Q
        Q = linalg_qr(less(A @ Q, Q, M, False)).Q
    return Q


def pca_lowrank(A: Tensor, q: int | None = None, center: bool = True, niter: int = 2) -> Triple:
    """Return the principal components of rows, about the `q` largest.

    `A`: (..., m, n), m samples of n features. `q`: by default 6, or the smaller size. `center`:
    subtract the mean of the rows. Returns U, S and V as `svd_lowrank`. Raises ValueError for a q
    that is too large.

    >>> import seegrad as torch
    >>> U, S, V = torch.pca_lowrank(torch.eye(4), q=2)
    >>> V.shape
    torch.Size([4, 2])
    """
    least = min(A.shape[-2:])
    q = min(6, least) if q is None else q
    if not 0 <= q <= least:
        raise ValueError(
            f"q(={q}) must be non-negative integer and not greater than min(m, n)={least}"
        )
    if niter < 0:
        raise ValueError(f"niter(={niter}) must be non-negative integer")
    centred: Any = A - mean(A, dim=(-2,), keepdim=True) if center else A
    return svd_lowrank(centred, q, niter=niter)
