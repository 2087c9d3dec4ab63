"""Medians without NaN, modes, quantiles, histograms, exponents of two, common divisors."""

import math
from typing import Any

import numpy as np

from tests.database.reduce import TIES, along
from tests.database.spec import Entry, Sample, binary, function, numbers

NAN = math.nan
GAPS = np.array([[1.0, NAN, 3.0, 2.0], [NAN, NAN, 5.0, NAN]])
SHARES = np.array([0.0, 0.3, 0.75, 1.0])

MIDDLES = [
    Entry(
        "nanmedian",
        function("nanmedian"),
        (Sample(numbers(2, 3)), Sample(numbers(4)), *along(), Sample(numbers())),
        operators="nanmedian nanmedian_dim",
        integer=True,
    ),
    Entry(
        "nanmedian, ties and NaN",
        function("nanmedian"),
        (
            *(Sample(one, **options) for one in (TIES, GAPS) for options in ({}, {"dim": 1})),
            Sample(np.array([NAN, NAN])),
            Sample(numbers(0)),
        ),
        operators="nanmedian nanmedian_dim",
        gradcheck=False,
        second=False,
    ),
    Entry(
        "mode",
        function("mode"),
        (*along(), Sample(TIES), Sample(TIES, 0, True), Sample(np.array([3.0, 1.0, 3.0, 1.0]))),
        operators="mode",
        integer=True,
        gradcheck=False,
    ),
    Entry(
        "nanmean",
        function("nanmean"),
        (*along(), Sample(GAPS), Sample(GAPS, dim=1, keepdim=True), Sample(numbers(0))),
        operators="nansum sum_dim div",
        gradcheck=False,
        half_ulps=4,  # PyTorch adds in half precision
    ),
]


def quantiles(name: str, values: Any, **options: Any) -> Entry:
    """All interpolations of numbers and vectors, of all elements and along dimensions."""
    samples = [
        Sample(values, q, interpolation=how, **where)
        for how in ("linear", "lower", "higher", "midpoint", "nearest")
        for q in (0.4, SHARES)
        for where in ({}, {"dim": 0}, {"dim": -1, "keepdim": True})
    ]
    samples += [Sample(numbers(), 0.4), Sample(numbers(), SHARES, dim=0, keepdim=True)]
    return Entry(
        name,
        function(name.split(",")[0]),
        tuple(samples),
        operators="sort gather lerp lerp_scalar",
        half=False,
        gradcheck=False,  # the ranks jump
        **options,
    )


QUANTILES = [
    quantiles("quantile", numbers(3, 4)),
    quantiles("quantile, NaN", GAPS),
    quantiles("nanquantile", GAPS),
]

POINTS = numbers(6, 2)
EDGES = np.array([-1.5, -0.5, 0.0, 1.0])
HISTOGRAMS = [
    Entry(
        "histc",
        function("histc"),
        (
            Sample(numbers(3, 4), 5),
            Sample(numbers(7), bins=4, min=-1, max=1.5),
            Sample(np.array([1.0, 1.0]), 3),
            Sample(numbers(0), 3),
        ),
        operators="histc",
        first=False,
    ),
    Entry(
        "histogram",
        function("histogram"),
        (
            Sample(numbers(3, 4), 5),
            Sample(numbers(3, 4), EDGES),
            Sample(numbers(7), 4, range=(-1.0, 1.5), weight=numbers(7, seed=1), density=True),
        ),
        operators="histogramdd bin_edges",
        first=False,
        half=False,
    ),
    Entry(
        "histogramdd",
        function("histogramdd"),
        (
            Sample(POINTS, 3),
            Sample(POINTS, [2, 3], range=(-1.0, 1.0, 0.0, 2.0), density=True),
            Sample(POINTS, [EDGES, EDGES], weight=numbers(6, seed=1)),
        ),
        operators="histogramdd bin_edges",
        first=False,
        half=False,
    ),
]

WHOLE = (Sample(np.array([12, -18, 0, 0, 7]), np.array([8, 12, 5, 0, -3])),)
EXPONENTS = [
    Entry(
        "frexp",
        function("frexp"),
        (Sample(numbers(2, 3)), Sample(numbers()), Sample(np.array([0.0, 8.0, -0.3]))),
        operators="frexp ldexp",
        gradcheck=False,
    ),
    # PyTorch rounds the power to half precision before it multiplies.
    binary("ldexp", complex=True, inplace="ldexp_", half=False),
    Entry(
        "ldexp of whole exponents",
        function("ldexp"),
        (Sample(numbers(2, 3), np.array([1, 0, 3])), Sample(numbers(3), np.array([2]))),
        operators="ldexp",
        inplace="ldexp_",
    ),
    *(
        Entry(name, function(name), WHOLE, operators=name, first=False, inplace=f"{name}_")
        for name in ("gcd", "lcm")
    ),
    Entry(
        "isreal",
        function("isreal"),
        (Sample(numbers(2, 3)), Sample(np.array([1.0, NAN]))),
        operators="",
        first=False,
        complex=True,
        integer=True,
    ),
]

ENTRIES = [*MIDDLES, *QUANTILES, *HISTOGRAMS, *EXPONENTS]
