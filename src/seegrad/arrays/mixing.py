"""Rows that are weighted sums of other rows, by the sparse matrices of SciPy: one loop in C."""

from typing import Any

import numpy as np

Array = Any  # an ndarray


def mixture(numbers: Array, weights: Array, used: Array, count: int) -> Any:
    """The matrix whose row i has `weights[i, k]` in column `numbers[i, k]`, where used.

    Its product with `count` rows of length c costs c multiplications for each element.
    """
    from scipy.sparse import csr_array

    rows, many = numbers.shape
    if used.all():
        ends = np.arange(0, numbers.size + 1, many)
    else:
        ends = np.zeros(rows + 1, np.int64)
        np.cumsum(np.count_nonzero(used, 1), out=ends[1:])
        numbers, weights = numbers[used], weights[used]
    return csr_array((weights.reshape(-1), numbers.reshape(-1), ends), shape=(rows, count))


def total_rows(places: Array, rows: Array, count: int) -> Array:
    """For each of `count` places the sum of the rows that belong there."""
    from scipy.sparse import csc_array

    ones, ends = np.ones(len(places), rows.dtype), np.arange(len(places) + 1)
    return csc_array((ones, places, ends), shape=(count, len(places))) @ rows
