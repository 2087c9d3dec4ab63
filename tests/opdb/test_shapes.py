"""Shapes, views and indices: what PyTorch's table of operators asks."""

import pytest

from tests.opdb import driver

pytestmark = pytest.mark.oracle

NAMES = """
broadcast_to expand narrow roll gather take_along_dim index_reduce
nn.functional.pixel_shuffle nn.functional.pixel_unshuffle
nn.functional.multi_margin_loss nn.functional.multilabel_margin_loss
""".split()


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
@pytest.mark.parametrize("name", NAMES)
def test_answers(name: str, dtype: str) -> None:
    pytest.importorskip("torch")
    for entry in driver.entries(name):
        assert not any(driver.disagreements(entry, dtype)), driver.label(entry)
