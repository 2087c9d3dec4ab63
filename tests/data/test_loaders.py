"""Seegrad's loaders do what PyTorch's did for every snippet of tests/data/."""

import pytest

import seegrad
from tests.observe import observe
from tests.record import recorded
from tests.recorders import loaders

CASES = loaders.cases()
ANSWERS = recorded(loaders.NAME)


@pytest.mark.parametrize("name", CASES)
def test_snippet(name: str) -> None:
    assert observe(CASES[name], seegrad) == ANSWERS[name]


@pytest.mark.oracle
@pytest.mark.parametrize("name", CASES)
def test_pytorch_still_says_so(name: str) -> None:
    torch = pytest.importorskip("torch")
    assert observe(CASES[name], torch) == ANSWERS[name]


def test_nothing_else_is_recorded() -> None:
    assert set(ANSWERS) == set(CASES)
