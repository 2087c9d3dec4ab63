"""Rows added and mixed by sparse matrices, and what that spares: values that do not count."""

import itertools
import math
from typing import Any

import numpy as np
import pytest

import seegrad
from seegrad.arrays.scatter import add_at

MODES = list(itertools.product(["bilinear", "nearest", "bicubic"], ["zeros", "border"]))
MODES += [(mode, "reflection") for mode in ("bilinear", "nearest", "bicubic")]


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "complex128"])
@pytest.mark.parametrize("width", [(3,), (5,), (4, 2)])
def test_rows_are_added_where_they_belong(dtype: str, width: tuple[int, ...]) -> None:
    places = np.arange(1500) * 37 % 400 - 200  # negative ones count from the end
    values = (np.arange(1500 * math.prod(width)) % 17).reshape(1500, *width).astype(dtype)
    found, wanted = (np.ones((300, *width), dtype) for _ in range(2))
    add_at(found, (places,), values)
    np.add.at(wanted, (places,), values)
    assert (found == wanted).all()


def test_rows_outside_are_refused() -> None:
    with pytest.raises(IndexError, match="out of bounds"):
        add_at(np.zeros((300, 8)), (np.full(1000, 300),), np.ones((1000, 8)))


def sampled(torch: Any, corner: float, mode: str, padding: str) -> Any:
    image = torch.arange(1.0, 10.0).reshape(1, 1, 3, 3)
    image[0, 0, 0, 0] = corner
    nan, inf = math.nan, math.inf
    places = [[nan, 0.0], [inf, 0.0], [-inf, 0.3], [0.0, nan], [5.0, 5.0], [0.2, 0.1]]
    grid = torch.tensor([[places]])
    return torch.nn.functional.grid_sample(image, grid, mode, padding, align_corners=False)


def test_nothing_outside_of_the_image_counts() -> None:
    assert sampled(seegrad, math.inf, "bilinear", "zeros")[0, 0, 0, 4] == 0


@pytest.mark.oracle
@pytest.mark.parametrize("corner", [1.0, math.inf])
@pytest.mark.parametrize(("mode", "padding"), MODES)
def test_places_that_are_no_numbers(mode: str, padding: str, corner: float) -> None:
    torch = pytest.importorskip("torch")
    found, wanted = (sampled(one, corner, mode, padding).numpy() for one in (seegrad, torch))
    np.testing.assert_allclose(found, wanted, rtol=1e-5)
