"""The programs of `examples/train` have the losses that they have under PyTorch, step by step."""

import importlib.util
import json
import os
import pathlib
import subprocess
import sys
from typing import Any

import pytest

from tests.first_losses import PROGRAMS
from tests.sources import ROOT

STEPS = 50
# What PyTorch 2.13.0 printed for `python tests/first_losses.py 50`.
KNOWN = json.loads((ROOT / "tests" / "recorded" / "first_losses.json").read_text("utf-8"))

needed = [name for name in ("sklearn", "rich") if importlib.util.find_spec(name) is None]
pytestmark = pytest.mark.skipif(bool(needed), reason=f"the programs need {needed}")


def _printed(*command: str) -> str:
    path = os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]).rstrip(":")
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


def _losses(*command: str) -> Any:
    return json.loads(_printed(*command, str(ROOT / "tests" / "first_losses.py"), str(STEPS)))


def test_every_program_is_asked() -> None:
    found = {path.stem for path in (ROOT / "examples" / "train").glob("*.py")}
    assert found == {*PROGRAMS, "showing"}
    assert {len(losses) for losses in KNOWN.values()} == {STEPS}


def test_losses_are_pytorchs() -> None:
    ours = _losses("-m", "seegrad", "run")
    for name in PROGRAMS:
        assert ours[name] == pytest.approx(KNOWN[name], abs=1e-4), name
        assert min(ours[name]) < ours[name][0]


@pytest.mark.oracle
def test_pytorch_still_has_these_losses() -> None:
    theirs = _losses()
    for name in PROGRAMS:
        assert theirs[name] == pytest.approx(KNOWN[name], abs=1e-4), name


@pytest.mark.parametrize("name", PROGRAMS)
def test_program_says_what_it_learned(name: str) -> None:
    script = pathlib.Path("examples", "train", f"{name}.py")
    printed = _printed("-m", "seegrad", "run", str(ROOT / script), "--steps", "3")
    assert "\nlearned" in printed
    assert f"python -m seegrad run {script.as_posix()}" in (ROOT / script).read_text("utf-8")
