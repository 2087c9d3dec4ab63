"""Layers, losses and activations: what PyTorch's table of operators asks, a few samples each."""

import pytest

from tests.opdb import driver
from tests.opdb.account import KNOWN

pytestmark = pytest.mark.oracle

MOST = 2


@pytest.mark.parametrize("dtype", ["float64", "complex128", "float32"])
def test_answers(dtype: str) -> None:
    pytest.importorskip("torch")
    entries = [one for one in driver.entries("nn.functional.") if driver.label(one) not in KNOWN]
    assert len(entries) > 100
    wrong = {}
    for entry in entries:
        found = [texts for texts in driver.disagreements(entry, dtype, MOST) if texts]
        if found:
            wrong[driver.label(entry)] = found[0]
    assert wrong == {}
