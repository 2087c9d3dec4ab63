"""The example trains as the README says, as a script that says ``import torch``."""

import os
import re
import subprocess
import sys

import pytest

from tests.sources import ROOT

SCRIPT = str(ROOT / "examples" / "digits.py")


def _digits(*command: str) -> str:
    path = os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]).rstrip(
        os.pathsep
    )
    result = subprocess.run(
        [sys.executable, *command],
        env=os.environ | {"PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def _accuracy(printed: str) -> float:
    found = re.search(r"accuracy +([\d.]+)%", printed)
    assert found, printed
    return float(found[1])


@pytest.mark.slow
def test_digits_are_learned() -> None:
    pytest.importorskip("sklearn")
    pytest.importorskip("rich")
    printed = _digits("-m", "seegrad", "run", SCRIPT)
    assert _accuracy(printed) >= 96
    assert "16,522 parameters, 1,437 digits to learn from" in printed


def _without_times(printed: str) -> list[str]:
    lines = [re.sub(r" \d:\d\d:\d\d", "", line) for line in printed.splitlines()]
    return [line for line in lines if not line.startswith("time ")]


@pytest.mark.slow
@pytest.mark.oracle
def test_pytorch_learns_the_same() -> None:
    for package in ("torch", "sklearn", "rich"):
        pytest.importorskip(package)
    few = (SCRIPT, "--epochs", "5")
    ours, theirs = _digits("-m", "seegrad", "run", *few), _digits(*few)
    assert _without_times(ours) == _without_times(theirs)
