"""The names of `torch.linalg`."""

from seegrad.errors import LinAlgError
from seegrad.graph.asked import register as _register
from seegrad.missing import missing as _missing
from seegrad.ops.linalg import (
    matmul,
)
from seegrad.ops.norms import linalg_norm as norm
from seegrad.ops.norms import (
    matrix_norm,
    vector_norm,
)
from seegrad.ops.products import linalg_cross as cross
from seegrad.ops.products import linalg_diagonal as diagonal
from seegrad.ops.products import linalg_vander as vander
from seegrad.ops.products import (
    matrix_power,
    multi_dot,
    vecdot,
)
from seegrad.ops.solvers import linalg_cholesky as cholesky
from seegrad.ops.solvers import linalg_cholesky_ex as cholesky_ex
from seegrad.ops.solvers import linalg_det as det
from seegrad.ops.solvers import linalg_inv as inv
from seegrad.ops.solvers import linalg_inv_ex as inv_ex
from seegrad.ops.solvers import linalg_lu as lu
from seegrad.ops.solvers import linalg_lu_solve as lu_solve
from seegrad.ops.solvers import linalg_slogdet as slogdet
from seegrad.ops.solvers import linalg_solve as solve
from seegrad.ops.solvers import linalg_solve_ex as solve_ex
from seegrad.ops.solvers import linalg_solve_triangular as solve_triangular
from seegrad.ops.solvers import (
    lu_factor,
    lu_factor_ex,
    tensorinv,
    tensorsolve,
)
from seegrad.ops.spectra import (
    cond,
    eig,
    eigh,
    eigvals,
    eigvalsh,
    householder_product,
    ldl_factor,
    ldl_factor_ex,
    ldl_solve,
    lstsq,
    matrix_exp,
    matrix_rank,
    pinv,
    svdvals,
)
from seegrad.ops.spectra import linalg_qr as qr
from seegrad.ops.spectra import linalg_svd as svd

__all__ = [
    "LinAlgError",
    "cholesky",
    "cholesky_ex",
    "cond",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "householder_product",
    "inv",
    "inv_ex",
    "ldl_factor",
    "ldl_factor_ex",
    "ldl_solve",
    "lstsq",
    "lu",
    "lu_factor",
    "lu_factor_ex",
    "lu_solve",
    "matmul",
    "matrix_exp",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "multi_dot",
    "norm",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "solve_ex",
    "solve_triangular",
    "svd",
    "svdvals",
    "tensorinv",
    "tensorsolve",
    "vander",
    "vecdot",
    "vector_norm",
]

_register("torch.linalg", globals(), __all__)
__getattr__ = _missing(__name__, __all__)
