"""Determinants, linear systems, factors, eigenvalues and singular values.

Vectors that are arbitrary in sign or phase are compared by absolute values.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.database.spec import Call, Entry, Sample, function, numbers

SQUARE = numbers(3, 3, seed=1) + np.diag([2.0, -1.5, 1.0])
BATCH = numbers(2, 3, 3, seed=2) + 1.5 * np.eye(3)
SIDES = numbers(3, 2)
VECTOR = numbers(3)
TALL = numbers(4, 2, seed=3)
WIDE = numbers(2, 3, seed=4)
STACK = numbers(2, 3, 2, seed=3)
EMPTY = numbers(0, 0)
MANY_EMPTY = numbers(2, 0, 3)
SINGULAR = np.diag([1.0, 2.0, 0.0])
SYSTEMS = [
    Sample(SQUARE, SIDES),
    Sample(SQUARE, VECTOR),
    Sample(BATCH, VECTOR),
    Sample(BATCH, numbers(2, 3)),
    Sample(BATCH, SIDES),
    Sample(SQUARE, STACK),
    Sample(EMPTY, EMPTY),
]


def entry(name: str, call: Call, *samples: Sample, operators: str, **options: Any) -> Entry:
    """An entry without half precision, compared in complex numbers too."""
    options = {"complex": True, "half": False, "tolerance": 100.0} | options
    return Entry(name, call, samples, operators, **options)


def linalg(name: str, *samples: Sample, operators: str = "", **options: Any) -> Entry:
    """A function of torch.linalg, by default of the operator of that name."""
    operators = operators or f"linalg_{name}"
    return entry(
        f"linalg.{name}", function(f"linalg.{name}"), *samples, operators=operators, **options
    )


def definite(torch: Any, x: Any) -> Any:
    """A positive-definite matrix made of any."""
    return x @ x.mH + torch.eye(x.shape[-1], dtype=x.dtype)


def on_definite(call: Callable[..., Any]) -> Call:
    """`call(torch, A, ...)` on a positive-definite A."""
    return lambda torch, x, *args: call(torch, definite(torch, x), *args)


def on_factors(call: Callable[..., Any]) -> Call:
    """`call(torch, LU, pivots, ...)` on the LU factors of the first argument."""
    return lambda torch, x, *args: call(torch, *torch.linalg.lu_factor(x), *args)


def lengths(*results: Any) -> tuple[Any, ...]:
    """The absolute values."""
    return tuple(one.abs() for one in results)


MATRICES = (Sample(SQUARE), Sample(BATCH), Sample(EMPTY))
RECTANGLES = (Sample(TALL), Sample(WIDE), Sample(SQUARE), Sample(STACK), Sample(MANY_EMPTY))
# No two candidates for a pivot of about the same size.
PIVOTED = tuple(Sample(s.args[0] + 3 * np.eye(*s.args[0].shape[-2:])) for s in RECTANGLES)

DETERMINANTS = [
    linalg("det", *MATRICES, operators="linalg_det det_shift"),
    linalg("slogdet", *MATRICES),
    entry(
        "logdet",
        on_definite(lambda torch, A: torch.logdet(A)),
        *MATRICES,
        operators="linalg_slogdet",
    ),
]

SOLVERS = [
    linalg("inv", *MATRICES, operators="linalg_inv_ex"),
    entry("inverse", function("inverse"), Sample(SQUARE), operators="linalg_inv_ex"),
    linalg("solve", *SYSTEMS, operators="linalg_solve_ex"),
    entry(
        "solve from the right",
        lambda torch, A, B: torch.linalg.solve(A, B, left=False),
        Sample(SQUARE, WIDE),
        Sample(BATCH, numbers(2, 2, 3)),
        operators="linalg_solve_ex",
    ),
    linalg(
        "solve_triangular",
        Sample(SQUARE, SIDES, upper=True),
        Sample(SQUARE, WIDE, upper=False, left=False),
        Sample(BATCH, SIDES, upper=True, unitriangular=True),
        Sample(SQUARE, STACK, upper=False),
    ),
    entry(
        "triangular_solve",
        function("triangular_solve"),
        Sample(SIDES, SQUARE),
        Sample(SIDES, BATCH, False),
        Sample(SIDES, SQUARE, True, True),
        Sample(SIDES, SQUARE, False, True, True),
        operators="triangular_solve",
    ),
    linalg(
        "tensorsolve",
        Sample(numbers(2, 3, 6) + np.eye(6).reshape(2, 3, 6) * 3, numbers(2, 3)),
        operators="linalg_solve_ex view",
    ),
    linalg(
        "tensorinv",
        Sample(numbers(2, 2, 4) + np.eye(4).reshape(2, 2, 4) * 3),
        operators="linalg_inv_ex reshape_alias",
    ),
]

FACTORS = [
    linalg("lu_factor", *PIVOTED, operators="linalg_lu_factor_ex"),
    linalg("lu", *PIVOTED),
    entry(
        "lu_unpack",
        on_factors(lambda torch, LU, pivots: torch.lu_unpack(LU, pivots)),
        *PIVOTED,
        operators="lu_unpack",
    ),
    *(
        entry(
            f"lu_solve {left} {adjoint}",
            on_factors(
                lambda torch, LU, pivots, B, left=left, adjoint=adjoint: torch.linalg.lu_solve(
                    LU, pivots, B, left=left, adjoint=adjoint
                )
            ),
            Sample(SQUARE, SIDES if left else WIDE),
            Sample(BATCH, SIDES if left else WIDE),
            operators="linalg_lu_solve",
        )
        for left in (True, False)
        for adjoint in (True, False)
    ),
    entry(
        "linalg.cholesky",
        on_definite(lambda torch, A: torch.linalg.cholesky(A)),
        *MATRICES,
        operators="linalg_cholesky_ex",
    ),
    entry(
        "upper cholesky",
        on_definite(lambda torch, A: torch.cholesky(A, upper=True)),
        *MATRICES,
        operators="cholesky",
    ),
    entry(
        "cholesky_solve",
        lambda torch, x, B: torch.cholesky_solve(B, torch.linalg.cholesky(definite(torch, x))),
        Sample(SQUARE, SIDES),
        Sample(BATCH, SIDES),
        operators="cholesky_solve",
    ),
    entry(
        "cholesky_inverse",
        lambda torch, x: torch.cholesky_inverse(torch.linalg.cholesky(definite(torch, x))),
        *MATRICES,
        operators="cholesky_inverse",
    ),
    linalg("ldl_factor_ex", Sample(SQUARE), Sample(BATCH), first=False),
    entry(
        "linalg.ldl_solve",
        lambda torch, A, B: torch.linalg.ldl_solve(*torch.linalg.ldl_factor(A), B),
        Sample(SQUARE, SIDES),
        operators="linalg_ldl_solve",
        first=False,
    ),
]

REFLECTORS = [
    linalg("qr", *RECTANGLES, Sample(WIDE, "complete")),
    entry("geqrf", function("geqrf"), Sample(TALL), Sample(WIDE), operators="geqrf", first=False),
    linalg(
        "householder_product",
        Sample(TALL, numbers(2)),
        Sample(TALL, numbers(1)),
        Sample(STACK, numbers(2, 2)),
        Sample(TALL, numbers(0)),
    ),
    entry(
        "ormqr",
        function("ormqr"),
        Sample(TALL, numbers(2), numbers(4, 3)),
        Sample(TALL, numbers(2), numbers(4, 3), True, True),
        Sample(TALL, numbers(2), numbers(3, 4), False),
        Sample(STACK, numbers(2, 2), numbers(2, 2, 3), False, True),
        operators="ormqr",
    ),
]

SPECTRA = [
    entry(
        "linalg.eigh",
        lambda torch, x: (lambda L, V: (L, V.abs()))(*torch.linalg.eigh(x + x.mH)),
        *MATRICES,
        operators="linalg_eigh over_gaps check_phase",
    ),
    entry(
        "linalg.eigvalsh",
        lambda torch, x: torch.linalg.eigvalsh(x + x.mH),
        *MATRICES,
        operators="linalg_eigvalsh linalg_eigh",
    ),
    entry(
        "linalg.eigvalsh without gradient",
        lambda torch, x: torch.linalg.eigvalsh(x.detach(), "U"),
        Sample(SQUARE),
        operators="linalg_eigvalsh",
        first=False,
    ),
    entry(
        "linalg.eig",
        lambda torch, x: lengths(*torch.linalg.eig(x)),
        Sample(SQUARE),
        Sample(EMPTY),
        operators="linalg_eig",
    ),
    entry(
        "linalg.eigvals",
        lambda torch, x: (torch.linalg.eigvals(x).abs(), torch.linalg.eigvals(x.detach()).abs()),
        Sample(SQUARE),
        Sample(EMPTY),
        operators="linalg_eigvals linalg_eig",
    ),
    *(
        entry(
            f"linalg.svd {full}",
            lambda torch, x, full=full: lengths(*torch.linalg.svd(x, full_matrices=full)),
            *RECTANGLES[: 3 if full else 5],
            operators="linalg_svd over_gaps pair_sums check_phase",
            gradcheck=not full,
        )
        for full in (True, False)
    ),
    entry(
        "svd",
        lambda torch, x: (lambda U, S, V: (U * S) @ V.mH)(*torch.svd(x)),
        *RECTANGLES[:3],
        operators="linalg_svd",
    ),
    linalg("svdvals", *RECTANGLES, operators="linalg_svd linalg_svdvals"),
    entry(
        "linalg.matrix_rank",
        lambda torch, x: torch.linalg.matrix_rank(x.detach()),
        *RECTANGLES,
        Sample(SINGULAR),
        operators="matrix_ranks linalg_svdvals",
        first=False,
    ),
    linalg("pinv", *RECTANGLES, operators="linalg_pinv"),
    entry(
        "linalg.pinv of Hermitian matrices",
        lambda torch, x: torch.linalg.pinv(x + x.mH, hermitian=True),
        *MATRICES,
        operators="linalg_pinv",
    ),
    *(
        entry(
            f"linalg.lstsq {driver}",
            lambda torch, A, B, driver=driver: torch.linalg.lstsq(A, B, driver=driver),
            Sample(TALL, numbers(4, 3)),
            Sample(WIDE, numbers(2, 3)),
            Sample(STACK, numbers(2, 3)),
            operators="linalg_lstsq",
        )
        for driver in ("gelsy", "gelsd", "gels")
    ),
    linalg("matrix_exp", *MATRICES),
    linalg(
        "cond",
        Sample(SQUARE),
        Sample(BATCH, -2),
        Sample(SQUARE, "nuc"),
        operators="linalg_svd reciprocal",
    ),
    entry(
        "spectral norms",
        function("linalg.matrix_norm"),
        Sample(SQUARE, 2),
        Sample(TALL, -2),
        Sample(STACK, "nuc", (0, 2), True),
        Sample(STACK, 2, (1, 0)),
        operators="linalg_svd permute",
    ),
]

PRODUCTS = [
    entry(
        "matrix_power of inverses",
        function("matrix_power"),
        Sample(SQUARE, -1),
        Sample(SQUARE, -3),
        Sample(SQUARE, 0),
        operators="linalg_inv_ex copy",
    ),
    linalg("vander", Sample(VECTOR), Sample(SIDES, N=4), operators="cat cumprod"),
    linalg(
        "vecdot", Sample(VECTOR, VECTOR + 1), Sample(SQUARE, VECTOR), operators="vdot mul sum_dim"
    ),
    linalg("diagonal", Sample(SQUARE), Sample(STACK, offset=-1), operators="diagonal"),
]

ENTRIES = [
    *DETERMINANTS,
    *SOLVERS,
    *FACTORS,
    *REFLECTORS,
    *SPECTRA,
    *PRODUCTS,
]
