"""The pages that are made from the code say what the code says."""

import re

import pytest

import seegrad
from seegrad.rules.spec import REGISTRY
from tests.pages import DOCS, derivatives, operators, with_list

STALE = "stale: run `make pages`"


def test_derivatives_are_those_of_the_rules() -> None:
    assert (DOCS / derivatives.NAME).read_text("utf-8") == derivatives.text(), STALE


def test_every_operator_is_on_the_page() -> None:
    page = derivatives.text()
    assert all(re.search(rf"`{name}[(`]", page) for name in REGISTRY)


def test_formulas_are_shown() -> None:
    page = derivatives.text()
    for line in (
        "| `mul(self, other)` | `MulBackward0` | other, self | self: `grad * other`<br>"
        "other: `grad * self` |",
        "| `exp(self)` | `ExpBackward0` | result | self: `grad * result` |",
        "| `frac(self)` | `FracBackward0` |  | self: `grad` |",
    ):
        assert line in page
    assert "`<lambda>`" not in page
    assert not re.search(r"`: *(<br>|\|)", page)


@pytest.mark.oracle
def test_operators_are_pytorchs() -> None:
    torch = pytest.importorskip("torch")
    page = (DOCS / operators.NAME).read_text("utf-8")
    assert page == with_list(page, operators.text(torch)), STALE


def test_operators_are_there_or_not() -> None:
    page = (DOCS / operators.NAME).read_text("utf-8").partition(operators.TITLE)[2]
    sections = re.split(r"\n### `(?:torch\.?)([\w.]*)`.*\n", page)[1:]
    asked = 0
    for scope, lines in zip(sections[::2], sections[1::2], strict=True):
        value: object = seegrad
        for part in filter(None, scope.split(".")):
            value = getattr(value, part)
        there, _, missing = lines.partition("\nNo:\n")
        for name in re.findall(r"`(\w+)`", there):
            asked += 1
            assert hasattr(value, name), f"{scope}.{name}"
        for name in re.findall(r"`(\w+)`", missing):
            assert not hasattr(value, name), f"{scope}.{name}"
    assert asked > 1000
