"""Choosing by bits gives what `np.where` gives, bit for bit."""

from typing import Any

import numpy as np
import pytest

from seegrad.arrays.picking import LARGE, pick

RANDOM = np.random.default_rng(0)
SHAPES = [(3,), (LARGE,), (LARGE // 32, 64), ()]


def values(shape: tuple[int, ...], dtype: Any) -> Any:
    """Numbers, with infinities, NaN and both zeros among them where a type has them."""
    made = RANDOM.standard_normal(shape) * 4
    if np.dtype(dtype).kind == "f":
        odd = RANDOM.choice([np.nan, np.inf, -np.inf, 0.0, -0.0], shape)
        made = np.where(RANDOM.random(shape) < 0.3, odd, made)
    return np.asarray(made).astype(dtype)


@pytest.mark.parametrize("dtype", ["f4", "f8", "i8", "c8"])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_as_where(shape: tuple[int, ...], dtype: str) -> None:
    condition = RANDOM.random(shape) < 0.5
    a, b = values(shape, dtype), values(shape, dtype)
    choices: list[tuple[Any, Any]] = [(a, b), (a, 0.0), (0, a), (a, 2.5), (-1, a), (a, a.T)]
    for one, other in choices:
        if np.shape(one) not in (shape, ()) or np.shape(other) not in (shape, ()):
            continue
        found, wanted = pick(condition, one, other), np.where(condition, one, other)
        assert found.dtype == wanted.dtype
        assert found.tobytes() == np.asarray(wanted).tobytes()


def test_broadcast_and_strides() -> None:
    condition = RANDOM.random((64, 64)) < 0.5
    row, grid = values((64,), "f4"), values((64, 64), "f4")
    for one, other in [(row, grid), (grid.T, 0.0), (np.broadcast_to(row, (64, 64)), 0.0)]:
        wanted = np.where(condition.T, one, other)
        np.testing.assert_array_equal(pick(condition.T, one, other), wanted)
