"""Layers, losses and activations in single precision: what PyTorch's table of operators asks."""

import pytest

from tests.opdb import driver
from tests.opdb.account import KNOWN

pytestmark = pytest.mark.oracle

MOST = 2


def test_answers_in_single_precision() -> None:
    pytest.importorskip("torch")
    entries = [one for one in driver.entries("nn.functional.") if driver.label(one) not in KNOWN]
    assert len(entries) > 100
    wrong = {}
    for entry in entries:
        found = [texts for texts in driver.disagreements(entry, "float32", MOST) if texts]
        if found:
            wrong[driver.label(entry)] = found[0]
    assert wrong == {}
