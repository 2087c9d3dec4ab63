"""Special functions: what PyTorch's table of operators asks, in float64."""

import pytest

from tests.opdb import driver

pytestmark = pytest.mark.oracle

INEXACT = {"special.bessel_j0", "special.bessel_j1", "special.bessel_y1"}  # docs/differences.md


def test_answers() -> None:
    pytest.importorskip("torch")
    asked = driver.entries("special.", "i0", "igamma", "igammac", "mvlgamma", "polygamma")
    assert len(asked) > 40
    for entry in asked:
        if entry.name not in INEXACT:
            assert not any(driver.disagreements(entry, "float64")), driver.label(entry)
