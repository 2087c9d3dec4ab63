"""The examples run as scripts that say ``import torch``, and show what the README says."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

from tests.sources import ROOT

SCRIPT = str(ROOT / "examples" / "digits.py")


def _printed(*command: str) -> str:
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
    printed = _printed("-m", "seegrad", "run", SCRIPT)
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
    ours, theirs = _printed("-m", "seegrad", "run", *few), _printed(*few)
    assert _without_times(ours) == _without_times(theirs)


TOURS = {
    "own_gradients": "straight through: [3.0, -2.0] loss 0.0",
    "newton": "H v: tensor([2290.0000,  880.0000], dtype=torch.float64)",
    "look_inside": "tanh keeps its result, not its input: True",
}


@pytest.mark.parametrize("name", TOURS)
def test_tours_show_what_they_are_for(name: str) -> None:
    script = str(ROOT / "examples" / f"{name}.py")
    assert TOURS[name] in _printed("-m", "seegrad", "run", script)


@pytest.mark.oracle
@pytest.mark.parametrize("name", TOURS)
def test_tours_print_what_pytorch_prints(name: str) -> None:
    pytest.importorskip("torch")
    script = str(ROOT / "examples" / f"{name}.py")
    assert _printed("-m", "seegrad", "run", script) == _printed(script)


@pytest.mark.parametrize("name", ["network", "gradient"])
def test_pictures_of_the_documentation_are_drawn_as_they_stand(
    name: str, tmp_path: pathlib.Path
) -> None:
    pytest.importorskip("fast_sugiyama")
    path = tmp_path / f"{name}.svg"
    _printed(str(ROOT / "examples" / f"draw_{name}.py"), str(path))
    drawn, kept = path.read_text("utf-8"), (ROOT / "docs" / f"{name}.svg").read_text("utf-8")
    # Places and their order may change with the version of the layout library.
    boxes = re.compile("<title>.*?</title>", re.DOTALL)
    assert sorted(boxes.findall(drawn)) == sorted(boxes.findall(kept)) != []
