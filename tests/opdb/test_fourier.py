"""Fourier transforms: what PyTorch's table of operators asks, in float64 and complex128."""

import pytest

from tests.opdb import driver

pytestmark = pytest.mark.oracle


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_answers(dtype: str) -> None:
    pytest.importorskip("torch")
    asked = driver.entries("fft.")
    assert len(asked) == 20
    for entry in asked:
        assert not any(driver.disagreements(entry, dtype)), driver.label(entry)
