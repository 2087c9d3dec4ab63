"""Drawing indices with given weights: PyTorch's `multinomial`, index for index."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from seegrad.arrays import dtypes
from seegrad.arrays.generators import Generator, chosen
from seegrad.arrays.random import exponential, unit64

Array = np.ndarray[Any, Any]


def multinomial(
    generator: Generator | None, weights: Array, num_samples: int, replacement: bool = False
) -> Array:
    """Return indices drawn with probabilities proportional to `weights`, int64.

    `weights`: (n,) or (m, n), floating. Returns (num_samples,) or (m, num_samples).
    Raises `RuntimeError` for weights that are no distribution or fewer than the samples.
    """
    _check(weights, num_samples, replacement)
    if not replacement or num_samples == 1:
        _check_finite(weights)
        return _by_race(generator, weights, num_samples)
    return _by_distribution(generator, weights, num_samples)


def _check(weights: Array, num_samples: int, replacement: bool) -> None:
    of = dtypes.from_numpy(weights.dtype)
    if not of.is_floating_point:
        raise RuntimeError(
            "multinomial only supports floating-point dtypes for input, got: " + of.scalar_name
        )
    if weights.ndim not in (1, 2):
        raise RuntimeError("prob_dist must be 1 or 2 dim")
    if weights.shape[-1] > 2**24:
        raise RuntimeError("number of categories cannot exceed 2^24")
    if num_samples <= 0:
        raise RuntimeError("cannot sample n_sample <= 0 samples")
    if not replacement and num_samples > weights.shape[-1]:
        raise RuntimeError(
            "cannot sample n_sample > prob_dist.size(-1) samples without replacement"
        )


def _check_finite(weights: Array) -> None:
    if not np.all((weights >= 0) & (weights < math.inf)):
        raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")
    if np.any(np.all(weights == 0, axis=-1)):
        raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")


def _by_race(generator: Generator | None, weights: Array, num_samples: int) -> Array:
    """Give each index an exponential time divided by its weight; the first to arrive are drawn."""
    speed = weights / exponential(generator, weights.shape, weights.dtype)
    if num_samples == 1:
        first: Array = np.fmax(speed, 0).argmax(-1, keepdims=True)  # 0 / 0 is not the first
        return first
    order: Array = np.argsort(-speed, axis=-1, kind="stable")
    return order[..., :num_samples].astype(np.int64)


def _by_distribution(generator: Generator | None, weights: Array, num_samples: int) -> Array:
    """Find each uniform number in the cumulated weights of its row."""
    rows = weights.reshape(-1, weights.shape[-1])
    cumulated = np.stack([_cumulated(row) for row in rows]) if len(rows) else rows
    unit = unit64(chosen(generator), len(rows) * num_samples).reshape(len(rows), num_samples)
    drawn = [np.searchsorted(line, u) for line, u in zip(cumulated, unit, strict=True)]
    indices = np.array(drawn, np.int64)
    return indices.reshape(*weights.shape[:-1], num_samples)


def _cumulated(row: Array) -> Array:
    """Return the cumulated weights of one row, divided by their sum."""
    if not np.all(row >= 0):
        raise RuntimeError("invalid multinomial distribution (encountering probability entry < 0)")
    if not np.all(np.isfinite(row)):
        raise RuntimeError(
            "invalid multinomial distribution (encountering probability entry = infinity or NaN)"
        )
    wide = row if row.dtype == np.float64 else row.astype(np.float32)
    sums: Array = np.cumsum(wide)
    if not sums.size or not sums[-1] > 0:
        raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")
    sums /= sums[-1]
    sums[-1] = 1
    return sums
