"""Matrix products and what is added to them, einsum, vector products."""

from typing import Any

import numpy as np

from tests.database.spec import Entry, Sample, function, numbers

M = numbers(2, 3)
N = numbers(3, 4, seed=1)
SQUARE = numbers(3, 3)
BATCH = numbers(2, 3, 4)
OTHER = numbers(2, 4, 2, seed=2)
VECTOR = numbers(3)
FREQUENCIES = np.array([1, 2, 1])
PAIR = numbers(2, seed=1)
SUMMED: dict[str, Any] = {"complex": True, "integer": True, "half_ulps": 2}


def product(name: str, *samples: Sample, operators: str = "", **options: Any) -> Entry:
    """A function that multiplies and adds."""
    options = SUMMED | options
    path = options.pop("path", name)
    return Entry(name, function(path), samples, operators or name.split(".")[-1], **options)


PRODUCTS = [
    product("mm", Sample(M, N), Sample(numbers(2, 0), numbers(0, 3))),
    product("mv", Sample(M, VECTOR)),
    product("dot", Sample(VECTOR, VECTOR + 1), Sample(numbers(0), numbers(0))),
    product("vdot", Sample(VECTOR, VECTOR + 1)),
    product("bmm", Sample(BATCH, OTHER)),
    product(
        "matmul",
        Sample(M, N),
        Sample(M, VECTOR),
        Sample(VECTOR, N),
        Sample(VECTOR, VECTOR),
        Sample(BATCH, OTHER),
        Sample(BATCH, numbers(4, 2)),
        Sample(BATCH, numbers(4)),
        Sample(SQUARE, BATCH),
        Sample(VECTOR, BATCH),
        Sample(BATCH[:, None], OTHER[None]),
        Sample(BATCH, OTHER[:1]),
        Sample(BATCH[:1], OTHER),
        operators="mm mv dot bmm unsqueeze squeeze_made unsafe_view clone",
    ),
]

ADDED = [
    product(
        "addmm",
        Sample(numbers(4), M, N),
        Sample(numbers(2, 4), M, N, beta=2, alpha=3),
        Sample(numbers(2, 1), M, N, beta=0),
    ),
    product("addmv", Sample(numbers(2), M, VECTOR), Sample(numbers(), M, VECTOR, beta=2, alpha=3)),
    product(
        "baddbmm",
        Sample(numbers(3, 2), BATCH, OTHER),
        Sample(numbers(1), BATCH, OTHER, beta=2, alpha=3),
    ),
    product(
        "addbmm",
        Sample(numbers(3, 2), BATCH, OTHER),
        Sample(numbers(1), BATCH, OTHER, beta=2, alpha=3),
        half_ulps=3,
    ),
    product("addr", Sample(M, PAIR, VECTOR), Sample(M, PAIR, VECTOR, beta=2, alpha=3)),
    Entry(
        "addmm_",
        lambda torch, x, a, b: (x * 1).addmm_(a, b, beta=2),
        (Sample(numbers(2, 4), M, N),),
        "addmm",
        complex=True,
        half_ulps=3,
    ),
]

COMPOSED = [
    product("outer", Sample(VECTOR, PAIR), operators="mul view"),
    product("inner", Sample(M, SQUARE), Sample(BATCH, numbers(4)), operators="mm permute view"),
    product(
        "tensordot",
        Sample(M, N, 1),
        Sample(M, N, 0),
        Sample(BATCH, OTHER, ((0, 2), (0, 1))),
        operators="mm permute view",
        half_ulps=3,
    ),
    product(
        "einsum",
        Sample("ij,jk->ik", M, N),
        Sample("ij,jk", M, N),
        Sample("ij->ji", M),
        Sample("ij->", M),
        Sample("ii", SQUARE),
        Sample("ii->i", SQUARE),
        Sample("i,j->ij", VECTOR, PAIR),
        Sample("i,i", VECTOR, VECTOR),
        Sample("ij,ij->ij", M, M),
        Sample("bij,bjk->bik", BATCH, OTHER),
        Sample("...ij,jk->...ik", BATCH, numbers(4, 2)),
        Sample("b...,b...->...", BATCH, BATCH),
        Sample("ij,jk,kl->il", M, N, numbers(4, 2)),
        Sample("iij->j", numbers(2, 2, 3)),
        Sample("ij,k->i", M, VECTOR),
        operators="bmm mul permute unsqueeze view sum_dim diagonal",
        half_ulps=4,
    ),
    Entry(
        "einsum with lists",
        lambda torch, a, b: torch.einsum(a, [0, 1], b, [1, 2], [2, 0]),
        (Sample(M, N),),
        "bmm",
        complex=True,
        half_ulps=2,
    ),
    product(
        "linear",
        Sample(M, SQUARE),
        Sample(M, SQUARE, VECTOR),
        Sample(VECTOR, SQUARE),
        Sample(VECTOR, SQUARE, VECTOR),
        Sample(numbers(2, 2, 3), SQUARE, VECTOR),
        Sample(numbers(2, 2, 3), SQUARE),
        Sample(M, VECTOR),
        path="nn.functional.linear",
        operators="mm addmm t view squeeze_made",
    ),
    Entry(
        "bilinear",
        lambda torch, *args: torch.nn.functional.bilinear(*args) * 1,
        (
            Sample(M, numbers(2, 4), numbers(2, 3, 4)),
            Sample(VECTOR, numbers(4), numbers(2, 3, 4), PAIR),
        ),
        "mm bmm",
        half=False,
    ),
    Entry(
        "multi_dot",
        lambda torch, *args: torch.linalg.multi_dot(args),
        (
            Sample(M, N),
            Sample(M, N, numbers(4, 2)),
            Sample(VECTOR, N, numbers(4, 2), PAIR),
            Sample(numbers(2, 5), numbers(5, 1), numbers(1, 4), numbers(4, 3)),
        ),
        "mm",
        complex=True,
        half=False,
    ),
    product(
        "matrix_power",
        Sample(SQUARE, 1),
        Sample(SQUARE, 2),
        Sample(SQUARE, 3),
        Sample(numbers(2, 2, 2), 5),
        path="matrix_power",
        operators="mm bmm",
        half=False,
        integer=False,
    ),
    product(
        "linalg.cross",
        Sample(M, M + 1),
        Sample(N[:, :3], SQUARE, dim=0),
        Sample(M, numbers(1, 3)),
        operators="linalg_cross",
        half=False,
    ),
    Entry(
        "cross",
        lambda torch, a, b: torch.cross(a, b, dim=-1),
        (Sample(M, M + 1),),
        "linalg_cross",
        complex=True,
        half=False,
    ),
    Entry(
        "vander",
        lambda torch, x: torch.vander(x) * 1,
        (Sample(numbers(3, domain=(0.5, 1.5))),),
        "cumprod cat",
        first=False,
        half=False,
    ),
]

DIFFERENCES = [
    product(
        "diff",
        Sample(BATCH),
        Sample(BATCH, 2, 1),
        Sample(VECTOR, 0),
        Sample(VECTOR, 1, -1, PAIR),
        operators="sub slice cat",
    ),
    product(
        "trapezoid",
        Sample(M),
        Sample(M, dx=0.5, dim=0),
        Sample(M, VECTOR),
        Sample(BATCH, BATCH + 1),
        operators="mul_scalar div_scalar sum_dim",
        half=False,
        integer=False,
    ),
    product(
        "cumulative_trapezoid",
        Sample(M),
        Sample(M, dx=0.5),
        Sample(M, VECTOR),
        operators="cumsum mul_scalar",
        half=False,
        integer=False,
    ),
    product(
        "cov",
        Sample(SQUARE),
        Sample(VECTOR, correction=0),
        Sample(M, fweights=FREQUENCIES),
        operators="mm squeeze",
        half=False,
        integer=False,
    ),
    product(
        "corrcoef", Sample(SQUARE), operators="mm clamp", half=False, complex=False, integer=False
    ),
    product(
        "cdist",
        Sample(M, SQUARE),
        Sample(M, SQUARE, 1.0),
        Sample(BATCH, BATCH[:1] + 1),
        Sample(M, SQUARE, 3.0),
        second=False,
        half=False,
        complex=False,
        integer=False,
    ),
    Entry(
        "cdist where PyTorch multiplies matrices",  # and loses digits
        function("cdist"),
        (
            Sample(M, SQUARE, compute_mode="use_mm_for_euclid_dist"),
            Sample(BATCH, BATCH[:1] + 1, compute_mode="use_mm_for_euclid_dist"),
            Sample(numbers(26, 1), numbers(2, 1, seed=1)),
        ),
        operators="euclidean_dist",
        second=False,
        half=False,
        single=False,
    ),
]

ENTRIES = [*DIFFERENCES, *PRODUCTS, *ADDED, *COMPOSED]
