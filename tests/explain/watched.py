"""Runs a small program under the detectives of optimizers, losses and gradient flow."""

import pathlib
from typing import Any

import seegrad as torch
from seegrad import nn
from seegrad.explain.flows.detective import Flows
from seegrad.explain.flows.losses import Losses
from seegrad.explain.optimizers.ledger import Ledger
from seegrad.explain.session import Session


def run(tmp_path: pathlib.Path, text: str) -> list[tuple[str, str]]:
    """What is found in a program: kinds, and the source of the lines."""
    path = tmp_path / "program.py"
    path.write_text(text, encoding="utf-8")
    names: dict[str, Any] = {"torch": torch, "nn": nn, "F": nn.functional, "__name__": "__main__"}
    session = Session((Ledger, Losses, Flows), names)
    try:
        with session:
            exec(compile(text, str(path), "exec"), names)
    except (AssertionError, IndexError, ValueError):
        pass
    return [(finding.kind, finding.place.text) for finding in session.report() if finding.place]
