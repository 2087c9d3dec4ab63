"""Seegrad does what PyTorch 2.13.0 did for every snippet of tests/contracts/."""

from typing import Any

import pytest

import seegrad
from tests.observe import observe
from tests.record import recorded
from tests.recorders import contracts

CASES = contracts.cases()
ANSWERS = recorded(contracts.NAME)
# What does not hold yet, and why. One that begins to hold fails here until its line is taken out.
PENDING: dict[str, str] = {}


def _marked(name: str) -> Any:
    reason = PENDING.get(name)
    return name if reason is None else pytest.param(name, marks=pytest.mark.xfail(reason=reason))


@pytest.mark.parametrize("name", [_marked(name) for name in CASES])
def test_contract(name: str) -> None:
    assert observe(CASES[name], seegrad) == ANSWERS[name]


@pytest.mark.parametrize("name", CASES)
@pytest.mark.oracle
def test_pytorch_still_says_so(name: str) -> None:
    torch = pytest.importorskip("torch")
    assert observe(CASES[name], torch) == ANSWERS[name]


def test_nothing_else_is_recorded() -> None:
    assert set(ANSWERS) == set(CASES)
