"""Sums, means, variances, products, extremes, norms and scans."""

import math
from typing import Any

import numpy as np

from tests.database.spec import Domain, Entry, Sample, function, numbers

NAN, INF = math.nan, math.inf
WHOLE = (-2.0, 2.0)


def over_dims(domain: Domain = WHOLE, **options: Any) -> tuple[Sample, ...]:
    """All elements, one dimension, two, kept, 0-d."""
    x = numbers(2, 3, 2, domain=domain)
    return (
        Sample(x, **options),
        Sample(x, dim=1, **options),
        Sample(x, dim=(0, -1), keepdim=True, **options),
        Sample(x, dim=-3, keepdim=True, **options),
        Sample(numbers(domain=domain), dim=0, **options),
        Sample(numbers(domain=domain), **options),
    )


def along(domain: Domain = WHOLE) -> tuple[Sample, ...]:
    """One dimension, kept or not, 0-d."""
    x = numbers(2, 3, 2, domain=domain)
    return (
        Sample(x, dim=1),
        Sample(x, dim=-1, keepdim=True),
        Sample(numbers(domain=domain), dim=0),
    )


def scanned(domain: Domain = WHOLE) -> tuple[Sample, ...]:
    """Every dimension, 0-d, one element, none."""
    x = numbers(2, 4, domain=domain)
    return (
        Sample(x, dim=0),
        Sample(x, dim=-1),
        Sample(numbers(domain=domain), dim=0),
        Sample(numbers(1, domain=domain), dim=0),
        Sample(numbers(0, 2, domain=domain), dim=0),
    )


TIES = np.array([[1.0, 1.0, 0.0], [2.0, 3.0, 3.0]])
EMPTY = numbers(0, 3)
TWO: dict[str, Any] = {"half_ulps": 2}

SUMS = [
    Entry(
        "sum",
        function("sum"),
        (*over_dims(), Sample(EMPTY), Sample(EMPTY, dim=0), Sample(numbers(2, 3), dim=())),
        operators="sum sum_dim",
        complex=True,
        integer=True,
        **TWO,
    ),
    Entry(
        "nansum",
        function("nansum"),
        (*over_dims(), Sample(np.array([1.0, NAN, 2.0]))),
        operators="nansum",
        gradcheck=False,
        half_ulps=8,  # PyTorch adds in half precision
    ),
    Entry(
        "mean",
        function("mean"),
        (*over_dims(), Sample(EMPTY)),
        operators="mean mean_dim",
        complex=True,
        **TWO,
    ),
    Entry(
        "logsumexp",
        function("logsumexp"),
        (*over_dims()[1:5], Sample(numbers(2, 3, domain=(700.0, 900.0)), dim=1)),
        operators="logsumexp",
        integer=True,
        **TWO,
    ),
    Entry(
        "logsumexp of -inf",
        function("logsumexp"),
        (Sample(np.array([[-INF, -INF], [-INF, 1.0], [INF, 1.0]]), dim=1),),
        operators="logsumexp",
        gradcheck=False,
        second=False,
    ),
    Entry(
        "count_nonzero",
        function("count_nonzero"),
        (Sample(TIES), Sample(TIES, dim=1)),
        operators="count_nonzero",
        first=False,
        integer=True,
        complex=True,
    ),
    *(
        Entry(
            name,
            function(name),
            (
                Sample(TIES),
                Sample(TIES, dim=1),
                Sample(TIES > 1, dim=(0,), keepdim=True),
                Sample(numbers()),
            ),
            operators=name,
            first=False,
            integer=True,
        )
        for name in ("all", "any")
    ),
]

VARIANCES = (
    [
        Entry(
            name,
            function(name),
            (
                *over_dims()[:4],
                *over_dims(correction=0),
                Sample(numbers(2, 3), unbiased=False),
                Sample(numbers(4), 0, False),
            ),
            operators=name,
            complex=True,
            gradcheck=name in ("var", "var_mean"),  # 0-d has no variance, so std is at its kink
            second=name in ("var", "var_mean"),
            **TWO,
        )
        for name in ("var", "std", "var_mean", "std_mean")
    ]
    + [
        Entry(
            "std, second order",
            function("std"),
            over_dims()[:4],
            operators="std",
            complex=True,
            **TWO,
        ),
        Entry(
            "std of a constant",
            function("std"),
            (Sample(np.array([1.0, 1.0])), Sample(np.array([[1.0, 1.0], [1.0, 2.0]]), dim=1)),
            operators="std",
            gradcheck=False,
            second=False,
        ),
    ]
)

PRODUCTS = [
    Entry(
        "prod",
        function("prod"),
        (
            Sample(numbers(2, 3)),
            *along(),
            Sample(numbers()),
            Sample(EMPTY),
            Sample(EMPTY, dim=1),
            Sample(np.array([0.0, 2.0, 3.0])),
            Sample(np.array([0.0, 0.0, 3.0])),
            Sample(np.array([[0.0, 2.0, 3.0], [0.0, 0.0, 2.0], [1.0, 2.0, 3.0]]), dim=1),
        ),
        operators="prod prod_dim prod_others cumprod_exclusive",
        complex=True,
        integer=True,
        **TWO,
    ),
]

EXTREMES = (
    [
        Entry(
            name,
            function(name),
            (Sample(numbers(2, 3)), *along(), Sample(numbers())),
            operators=f"{name} {name}_dim",
            integer=True,
        )
        for name in ("max", "min")
    ]
    + [
        Entry(
            f"{name}, ties and NaN",
            function(name),
            (
                Sample(TIES),
                Sample(TIES, dim=1),
                Sample(np.array([NAN, 1.0, NAN])),
                Sample(np.array([1.0, NAN]), dim=0),
            ),
            operators=f"{name} {name}_dim",
            gradcheck=False,
            second=False,
        )
        for name in ("max", "min", "median")
    ]
    + [
        Entry(name, function(name), over_dims(), operators=name, integer=True)
        for name in ("amax", "amin")
    ]
    + [
        Entry(
            f"{name}, ties",
            function(name),
            (Sample(TIES), Sample(TIES, dim=1), Sample(TIES, dim=(0, 1))),
            operators=name,
            gradcheck=False,
            second=False,
        )
        for name in ("amax", "amin")
    ]
    + [
        Entry(
            "aminmax",
            function("aminmax"),
            (
                Sample(numbers(2, 3)),
                Sample(numbers(2, 3), dim=1),
                Sample(numbers(2, 3), dim=0, keepdim=True),
            ),
            operators="aminmax",
            integer=True,
        ),
        *(
            Entry(
                name,
                function(name),
                (
                    Sample(numbers(2, 3)),
                    Sample(numbers(2, 3), dim=0),
                    Sample(TIES, dim=1, keepdim=True),
                    Sample(np.array([1.0, NAN, 0.0])),
                    Sample(numbers()),
                    Sample(numbers(2, 3), keepdim=True),
                ),
                operators=name,
                first=False,
                integer=True,
            )
            for name in ("argmax", "argmin")
        ),
        Entry(
            "median",
            function("median"),
            (Sample(numbers(2, 3)), Sample(numbers(4)), *along(), Sample(numbers())),
            operators="median median_dim",
            integer=True,
        ),
    ]
)

ORDERS = (0, 0.5, 1, 1.5, 2, 3, INF, -INF)
NORMS = [
    Entry(
        "linalg.vector_norm",
        function("linalg.vector_norm"),
        tuple(
            Sample(numbers(2, 3), ord, **options)
            for ord in ORDERS
            for options in ({}, {"dim": 1}, {"dim": (0, 1), "keepdim": True})
        ),
        operators="linalg_vector_norm",
        complex=True,
        half_ulps=2,
    ),
    Entry(
        "linalg.vector_norm, kinks",
        function("linalg.vector_norm"),
        tuple(
            Sample(np.array(row), ord)
            for ord in ORDERS
            for row in ([0.0, 0.0], [0.0, 2.0], [1.0, -1.0, 0.0])
        ),
        operators="linalg_vector_norm",
        half_ulps=2,
        gradcheck=False,
        second=False,
    ),
    Entry(
        "norm",
        function("norm"),
        (
            Sample(numbers(2, 3)),
            Sample(numbers(2, 3), 1),
            Sample(numbers(2, 3), 3, 1, True),
            Sample(numbers(2, 3), "fro", (0, 1)),
            Sample(numbers()),
        ),
        operators="linalg_vector_norm",
        complex=True,
        half_ulps=2,
    ),
    Entry(
        "renorm",
        function("renorm"),
        tuple(
            Sample(numbers(2, 3, 2), p, dim, bound)
            for p in (0.5, 1, 2, 3, INF)
            for dim, bound in ((0, 2.0), (1, 1.5), (-1, 0.5))
        ),
        operators="renorm",
        complex=True,
        half=False,  # the two gradients cancel, and round at other steps
    ),
    Entry(
        "linalg.norm",
        function("linalg.norm"),
        (
            Sample(numbers(2, 3)),
            Sample(numbers(3), 1),
            Sample(numbers(2, 3), "fro"),
            Sample(numbers(2, 3), 3, dim=1),
            Sample(numbers(2, 2, 3), dim=(0, 2), keepdim=True),
            Sample(numbers(2, 3), -1),
            Sample(numbers(2, 2, 3), INF, dim=(2, 0)),
        ),
        operators="linalg_vector_norm amax amin",
        complex=True,
        half_ulps=2,
    ),
    Entry(
        "linalg.matrix_norm",
        function("linalg.matrix_norm"),
        tuple(
            Sample(numbers(2, 2, 3), ord, dim=dim, keepdim=keepdim)
            for ord in ("fro", 1, -1, INF, -INF)
            for dim, keepdim in (((-2, -1), False), ((2, 0), True))
        ),
        operators="linalg_vector_norm amax amin",
        half_ulps=2,
    ),
    Entry(
        "dist",
        function("dist"),
        tuple(Sample(numbers(2, 3), numbers(3, seed=1), p) for p in (1, 2, 3, INF)),
        operators="dist",
        complex=True,
        half_ulps=3,
    ),
    Entry(
        "dist of equals",
        function("dist"),
        (Sample(np.array([1.0, 2.0]), np.array([1.0, 2.0])),),
        operators="dist",
        gradcheck=False,
        second=False,
    ),
]

ZEROS = (
    Sample(np.array([0.0, 2.0, 3.0]), dim=0),
    Sample(np.array([2.0, 0.0, 3.0, 0.0]), dim=0),
    Sample(np.array([[0.0, 0.0, 2.0], [1.0, 2.0, 0.0]]), dim=1),
)
SCANS = [
    Entry(
        "cumsum",
        function("cumsum"),
        scanned(),
        operators="cumsum cumsum_reversed",
        complex=True,
        integer=True,
        inplace="cumsum_",
        **TWO,
    ),
    Entry(
        "cumprod",
        function("cumprod"),
        (*scanned(), *ZEROS),
        operators="cumprod cumprod_exclusive recurrence shift_one",
        complex=True,
        integer=True,
        inplace="cumprod_",
        half=False,  # PyTorch divides, which errs more
    ),
    Entry(
        "logcumsumexp",
        function("logcumsumexp"),
        scanned(),
        operators="logcumsumexp recurrence",
        complex=True,
        half_ulps=8,
    ),
    Entry(
        "logcumsumexp far apart",
        function("logcumsumexp"),
        (Sample(numbers(5, domain=(-900.0, 900.0)), dim=0),),
        operators="logcumsumexp",
        half=False,
        gradcheck=False,
        second=False,
    ),
    *(
        Entry(
            name,
            function(name),
            (*scanned(), Sample(np.array([1.0, 1.0, 0.0, 2.0, 2.0, 0.0]), dim=0)),
            operators=name,
            integer=True,
            gradcheck=False,
        )
        for name in ("cummax", "cummin")
    ),
]

ENTRIES = [*SUMS, *VARIANCES, *PRODUCTS, *EXTREMES, *NORMS, *SCANS]
