"""Reductions, scans and norms of what a mask names."""

from typing import Any

import numpy as np

from tests.database.spec import Entry, Sample, function, numbers

X = numbers(2, 3)
SOME = np.array([[True, False, True], [True, True, False]])
FIRST = np.array([True, False, False])


def masked(name: str, operators: str, *args: Any, **options: Any) -> Entry:
    """A function of `torch.masked`, under masks of two shapes and under none."""
    samples = tuple(Sample(X, *args, mask=mask) for mask in (SOME, FIRST, None))
    options.setdefault("half", False)
    return Entry(f"masked.{name}", function(f"masked.{name}"), samples, operators, **options)


ENTRIES = [
    masked("sum", "where sum_dim", 1, complex=True, integer=True),
    masked("prod", "where prod_dim", 1, complex=True, integer=True),
    masked("cumsum", "where cumsum", 1, complex=True, integer=True),
    masked("cumprod", "where cumprod", 1, complex=True, integer=True),
    masked("amax", "where amax", 1, integer=True),
    masked("amin", "where amin", 1, integer=True),
    masked("argmax", "where argmax", 1, integer=True, first=False),
    masked("argmin", "where argmin", 1, integer=True, first=False),
    masked("mean", "where sum_dim div", 1, complex=True),
    masked("median", "where nanmedian_dim", 1),
    masked("norm", "where linalg_vector_norm", 2.0, 1),
    masked("var", "where sum_dim div", (0, 1), complex=True),
    masked("std", "where sum_dim div sqrt", (0, 1), False),
    masked("softmax", "where softmax", 1),
    masked("log_softmax", "where log_softmax", 1, gradcheck=False),
    masked("softmin", "where softmax", 1),
    masked("logsumexp", "where logsumexp", 1),
    masked("normalize", "where div maximum", 2.0, 1, complex=True),
    Entry(
        "masked.logaddexp",
        function("masked.logaddexp"),
        (Sample(X, numbers(2, 3, seed=1), input_mask=SOME, other_mask=~SOME),),
        "where logaddexp",
        half=False,
        second=False,  # PyTorch's are NaN
    ),
]
