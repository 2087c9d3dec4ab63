"""Programs with one planted fault, and healthy ones, run under `seegrad run --explain`."""

import pathlib
from collections.abc import Callable
from typing import Any

import pytest

from tests.explain.corpus_run import FAULTS, HEALTHY, findings, judged

Note = Callable[[str, Any], None]


@pytest.mark.parametrize("script", FAULTS, ids=lambda path: path.stem)
def test_fault_is_named(script: pathlib.Path, record_property: Note) -> None:
    cause, line, found = judged(script)
    record_property("corpus", "cause" if cause else "missed")
    record_property("corpus", "line" if line else "other line")
    assert found, "nothing was found"
    assert cause, found[0]
    assert line, found[0]
    assert len({finding["line"] for finding in found}) <= 3


@pytest.mark.parametrize("script", HEALTHY, ids=lambda path: path.stem)
def test_healthy_program_gets_no_finding(script: pathlib.Path, record_property: Note) -> None:
    found = findings(script)
    record_property("corpus", "false alarm" if found else "quiet")
    assert found == []


def test_corpus_is_large_and_mixed() -> None:
    texts = [script.read_text(encoding="utf-8") for script in FAULTS]
    kinds = [text.splitlines()[0] for text in texts]
    assert len(FAULTS) >= 100
    assert len(HEALTHY) >= 50
    assert sum("# follows: own" not in text for text in texts) >= 30
    assert max(map(kinds.count, kinds)) <= 0.05 * len(FAULTS)
