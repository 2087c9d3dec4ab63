"""Products of matrices, by whichever of NumPy's ways they are computed."""

import numpy as np
import pytest

from seegrad.arrays import raw


@pytest.mark.parametrize(("rows", "inner", "columns"), [(3, 2, 4), (300, 20, 200), (200, 30, 300)])
@pytest.mark.parametrize("kind", [np.int64, np.float64])
def test_small_and_large_products_are_sums_of_products(
    rows: int, inner: int, columns: int, kind: type
) -> None:
    generator = np.random.default_rng(0)
    left = generator.integers(-9, 9, (inner, rows)).astype(kind).T  # lies column by column
    right = generator.integers(-9, 9, (inner, columns)).astype(kind)
    product = raw.mm(left, right)
    assert product.dtype == kind
    assert (product == sum(np.multiply.outer(left[:, k], right[k]) for k in range(inner))).all()


def test_large_matrices_that_do_not_fit_are_refused_as_small_ones_are() -> None:
    with pytest.raises(RuntimeError, match=r"cannot be multiplied \(300x40 and 39x300\)"):
        raw.mm(np.ones((300, 40)), np.ones((39, 300)))
