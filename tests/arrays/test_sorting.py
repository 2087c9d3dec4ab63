"""Selecting without sorting everything gives what the stable order gives."""

from typing import Any

import numpy as np
import pytest

from seegrad.arrays import extremes, sorting

KINDS = {
    "numbers": lambda x: x,
    "many ties": np.rint,
    "NaN": lambda x: np.where(x > 1, np.nan, x),
    "integers": lambda x: (x * 3).astype(np.int64),
    "columns": lambda x: np.asfortranarray(x.astype(np.float32)),
}


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_selection(kind: Any, axis: int) -> None:
    x = kind(np.random.default_rng(axis).normal(size=(40, 50)))
    order = np.argsort(x, axis, kind="stable")
    back = np.flip(x.shape[axis] - 1 - np.argsort(np.flip(x, axis), axis, kind="stable"), axis)
    for k in (1, 2, 5):
        for places, largest in ((order, False), (back, True)):
            wanted = np.take(places, range(k), axis)
            values, found = sorting.topk(x, k, axis, largest)
            np.testing.assert_array_equal(found, wanted)
            np.testing.assert_array_equal(values, np.take_along_axis(x, wanted, axis))
        np.testing.assert_array_equal(sorting.place_of_rank(x, k, axis), np.take(order, [k], axis))


def test_median_names_the_first_nan() -> None:
    x = np.array([[3.0, 1.0, 2.0, 1.0], [np.nan, 1.0, np.nan, 0.0]])
    values, places = extremes.median_dim(x, 1, False)
    np.testing.assert_array_equal(values, [1.0, np.nan])
    np.testing.assert_array_equal(places, [3, 0])
