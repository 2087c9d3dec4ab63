"""torch.compile says once, to a logger, that it compiles nothing."""

import logging

import pytest

import seegrad as torch
from seegrad import compiler


def test_one_note(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiler, "_NOTE", ["returns functions as they are"])
    caplog.set_level(logging.INFO, "seegrad.compiler")
    assert torch.compile(len) is len
    assert torch.compile()(sum) is sum
    assert [record.getMessage() for record in caplog.records] == ["returns functions as they are"]


def test_files_of_torchscript_are_refused_with_a_way_out() -> None:
    for function, instead in ((torch.jit.save, "state_dict"), (torch.jit.load, "torch.load")):
        with pytest.raises(NotImplementedError, match=instead):
            function(None, None)
