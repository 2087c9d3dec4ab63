"""Seegrad shows what PyTorch 2.13.0 showed for every snippet that was recorded."""

from typing import Any

import pytest

import seegrad
from tests.observe import Snippet, observe
from tests.record import recorded
from tests.recorders import (
    amp,
    autograd,
    contracts,
    corners,
    counting,
    documents,
    face,
    fields,
    files,
    forward,
    gradcheck,
    hooks,
    linalg,
    loaders,
    modes,
    modules,
    optimisers,
    passing,
    randoms,
    recurrent,
    reductions,
    shapes,
    testing,
    transforms,
)

RECORDERS = (
    amp,
    autograd,
    contracts,
    corners,
    counting,
    documents,
    face,
    fields,
    files,
    forward,
    gradcheck,
    hooks,
    linalg,
    loaders,
    modes,
    modules,
    optimisers,
    passing,
    recurrent,
    randoms,
    reductions,
    shapes,
    testing,
    transforms,
)
ANSWERS = {recorder.NAME: recorded(recorder.NAME) for recorder in RECORDERS}

every_snippet = pytest.mark.parametrize(
    ("snippet", "answer"),
    [
        pytest.param(snippet, ANSWERS[recorder.NAME].get(name), id=f"{recorder.NAME}-{name}")
        for recorder in RECORDERS
        for name, snippet in recorder.cases().items()
    ],
)


@every_snippet
def test_snippet(snippet: Snippet, answer: Any) -> None:
    assert observe(snippet, seegrad) == answer


@pytest.mark.oracle
@every_snippet
def test_pytorch_still_says_so(snippet: Snippet, answer: Any) -> None:
    torch = pytest.importorskip("torch")
    assert observe(snippet, torch) == answer


@pytest.mark.parametrize("recorder", RECORDERS, ids=lambda recorder: recorder.NAME)
def test_every_snippet_and_nothing_else_is_recorded(recorder: Any) -> None:
    assert set(ANSWERS[recorder.NAME]) == set(recorder.cases())
