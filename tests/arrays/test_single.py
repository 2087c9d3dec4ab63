"""Single-precision functions: as good as NumPy's in double precision, rounded."""

from __future__ import annotations

import numpy as np

from seegrad.arrays import single

EPS = float(np.finfo(np.float32).eps)


def test_log() -> None:
    x = np.concatenate([np.linspace(2.0**-24, 1, 20001), np.geomspace(1e-30, 1e30, 2001)])
    x = x.astype(np.float32)
    np.testing.assert_allclose(single.log(x), np.log(x.astype(np.float64)), rtol=EPS, atol=1e-9)


def test_sine_and_cosine() -> None:
    angle = np.linspace(0, 2 * np.pi, 20001).astype(np.float32)
    sine, cosine = single.sin_cos(angle)
    np.testing.assert_allclose(sine, np.sin(angle.astype(np.float64)), atol=EPS)
    np.testing.assert_allclose(cosine, np.cos(angle.astype(np.float64)), atol=EPS)
    assert sine.dtype == cosine.dtype == np.float32
