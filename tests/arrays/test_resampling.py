"""Resampling by matrices, band by band, is resampling tap by tap."""

from typing import Any

import numpy as np
import pytest

from seegrad.arrays.resampling import resample, resample_backward

KINDS = ["nearest", "nearest-exact", "linear", "cubic", "area", "linear-aa", "cubic-aa"]
SIZES = [((3, 70, 33), (45, 40)), ((45, 66), (100, 7)), ((2, 40, 3, 1), (80, 80, 2))]


def numbers(*shape: int) -> Any:
    return np.random.default_rng(0).normal(size=shape)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("shape", "sizes"), SIZES)
def test_what_is_not_finite_stays_where_it_is(kind: str, shape: Any, sizes: Any) -> None:
    """Such numbers are treated tap by tap; away from them the results are those of matrices."""
    options = (kind, sizes, False, (None,) * len(sizes))
    x = numbers(*shape)
    wanted = resample(x, *options)
    spoiled = x.copy()
    spoiled.flat[0] = np.inf
    with np.errstate(invalid="ignore"):
        found = resample(spoiled, *options)
    good = np.isfinite(found)
    assert good.mean() > 0.5
    np.testing.assert_allclose(found[good], wanted[good], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("shape", "sizes"), SIZES)
@pytest.mark.parametrize("finite", [True, False])
def test_gradients_are_the_transpose(kind: str, shape: Any, sizes: Any, finite: bool) -> None:
    """`<resample(x), g> = <x, resample_backward(g)>`; with NaN in a plane of its own too."""
    options = (kind, sizes, False, (None,) * len(sizes))
    x, g = numbers(2, *shape), numbers(2, *shape[: -len(sizes)], *sizes)
    if not finite:
        g[1].flat[0] = np.nan
    with np.errstate(invalid="ignore"):
        back = resample_backward(g, shape[-len(sizes) :], *options)
    assert np.isfinite(back[1]).all() == finite
    assert (resample(x, *options)[0] * g[0]).sum() == pytest.approx((x[0] * back[0]).sum())
