"""Seegrad shows what PyTorch 2.13.0 showed for every snippet of five tutorials."""

import pytest

import seegrad
from tests.observe import observe
from tests.record import recorded
from tests.recorders import documents

CASES = documents.cases()
ANSWERS = recorded(documents.NAME)


@pytest.mark.parametrize("name", CASES)
def test_snippet(name: str) -> None:
    assert observe(CASES[name], seegrad) == ANSWERS[name]


@pytest.mark.parametrize("name", CASES)
@pytest.mark.oracle
def test_pytorch_still_says_so(name: str) -> None:
    torch = pytest.importorskip("torch")
    assert observe(CASES[name], torch) == ANSWERS[name]


def test_nothing_else_is_recorded() -> None:
    assert set(ANSWERS) == set(CASES)
