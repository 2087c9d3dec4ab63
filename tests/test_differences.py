"""docs/differences.md is true: what it calls missing is missing, what it calls there is there."""

import re

import pytest

from tests import fresh
from tests.sources import ROOT

TEXT = (ROOT / "docs" / "differences.md").read_text(encoding="utf-8")
MISSING, _, REST = TEXT.partition("\n## There, for scripts")
THERE = REST.partition("\n## ")[0]
NAME = re.compile(r"`(torch\.[\w.]+)(?:\(\))?`")


def _answers(expression: str) -> bool:
    return fresh.run(f"import seegrad as torch; {expression}", check=False).returncode == 0


def test_page_names_names() -> None:
    assert len(NAME.findall(MISSING)) > 10
    assert len(NAME.findall(THERE)) >= 4


@pytest.mark.parametrize("expression", NAME.findall(MISSING))
def test_missing(expression: str) -> None:
    import seegrad

    value: object = seegrad
    for part in expression.split(".")[1:]:
        if not hasattr(value, part):
            return
        value = getattr(value, part)
    pytest.fail(f"{expression} is there: take it off the page")


@pytest.mark.parametrize("expression", NAME.findall(THERE))
def test_there(expression: str) -> None:
    assert _answers(expression)
