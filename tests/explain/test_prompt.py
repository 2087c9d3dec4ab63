"""`seegrad run --step`: the prompt at the nodes of backward, fed through a pipe."""

import os
import pathlib
import subprocess
import sys

from tests.sources import ROOT

ENVIRONMENT = os.environ | {"PYTHONPATH": str(ROOT / "src"), "OMP_NUM_THREADS": "1"}
SCRIPT = """\
import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)


def train(rate):
    for i in range(2):
        y = torch.tanh(w)
        loss = (y * 3).sum()
        loss.backward()
        print("pass", i)


train(0.1)
print("end", w.grad is not None)
"""


def stepped(folder: pathlib.Path, commands: str, script: str = SCRIPT) -> tuple[str, str, int]:
    (folder / "script.py").write_text(script, encoding="utf-8")
    command = [sys.executable, "-m", "seegrad", "run", "--step", "script.py"]
    done = subprocess.run(
        command, cwd=folder, env=ENVIRONMENT, input=commands, capture_output=True, text=True,
        timeout=120,
    )  # fmt: skip
    return done.stdout, done.stderr, done.returncode


def test_every_node_of_every_pass(tmp_path: pathlib.Path) -> None:
    out, errors, status = stepped(tmp_path, "n\n" * 7 + "next\n")
    names = [line.split()[1] for line in out.splitlines() if line.startswith("[")]
    once = ["SumBackward0", "MulBackward0", "TanhBackward0", "AccumulateGrad"]
    assert names == once * 2
    assert out.count("backward at script.py:10: loss.backward() (4 steps)") == 2
    assert out.index("pass 0") > out.index("[4/4]")
    assert (out.splitlines()[-1], errors, status) == ("end True", "", 0)


def test_what_a_step_shows(tmp_path: pathlib.Path) -> None:
    out, _, _ = stepped(tmp_path, "n\nn\nn\nc\n")
    assert "[3/4] TanhBackward0 of script.py:8: y = torch.tanh(w)\n" in out
    # 3 * (1 - tanh(1) ** 2) = 1.26, 3 * (1 - tanh(2) ** 2) = 0.212
    assert "  in    (2,) float32: 3 3\n  out   (2,) float32: 1.26 0.212 -> Accumulate" in out
    assert "  saved result (2,) float32: 0.7616 0.964\n" in out
    assert "[4/4] AccumulateGrad of script.py:3: " in out
    assert "requires_grad=True) (w)\n  in    (2,) float32: 1.26 0.212\n  .grad (2,)" in out
    assert "end True" in out


def test_where_and_up(tmp_path: pathlib.Path) -> None:
    out, _, _ = stepped(tmp_path, "b tanh\nc\nw\nu\nup\nup\nq\n")
    assert "script.py:10 in train: loss.backward()\n  TanhBackward0 of script.py:8" in out
    assert "    -> leaf w of script.py:3: w = torch.tensor" in out
    assert "script.py:8 in train\n" in out
    assert "->    8         y = torch.tanh(w)\n" in out
    assert "->    3 w = torch.tensor([1.0, 2.0], requires_grad=True)\n" in out
    assert "*** no line is known above this one" in out


def test_values_are_printed(tmp_path: pathlib.Path) -> None:
    out, _, _ = stepped(tmp_path, "p rate, incoming[0].item()\np nothing\nprint w\np\nwhat\nq\n")
    assert "(0.1, 1.0)\n" in out
    assert "*** NameError: name 'nothing' is not defined" in out
    assert "tensor([1., 2.], requires_grad=True)" in out
    assert out.count("[1/4] SumBackward0") == 2
    assert "*** no command 'what'" in out


def test_breakpoints(tmp_path: pathlib.Path) -> None:
    commands = "b mul\nb if leaf is w and i == 1\nb\nb if (\nc\nclear 1\nc\nclear\nclear 7\nc\n"
    out, _, status = stepped(tmp_path, commands)
    names = [line.split()[1] for line in out.splitlines() if line.startswith("[")]
    assert names == ["SumBackward0", "MulBackward0", "AccumulateGrad"]
    assert "1: mul\n2: if leaf is w and i == 1\n" in out
    assert "*** '(' was never closed: (" in out
    assert "*** no breakpoint 7" in out
    assert ("end True" in out, status) == (True, 0)


def test_a_line_stops_and_a_pass_is_finished(tmp_path: pathlib.Path) -> None:
    out, _, _ = stepped(tmp_path, "f\nb 8\nc\nq\n")
    shown = [line.split(" of ")[0] for line in out.splitlines() if line.startswith("[")]
    assert shown == ["[1/4] SumBackward0", "[1/4] SumBackward0", "[3/4] TanhBackward0"]


def test_quit_ends_the_program(tmp_path: pathlib.Path) -> None:
    for commands in ("n\nq\n", ""):
        out, errors, status = stepped(tmp_path, commands)
        assert "pass 0" not in out
        assert (errors, status) == ("", 0)


def test_errors_of_the_program_are_its_own(tmp_path: pathlib.Path) -> None:
    out, errors, status = stepped(tmp_path, "c\n", SCRIPT + "1 / 0\n")
    assert "end True" in out
    assert errors.startswith('Traceback (most recent call last):\n  File "')
    assert status == 1


def test_passes_inside_of_a_step(tmp_path: pathlib.Path) -> None:
    script = """\
import torch
from torch.utils.checkpoint import checkpoint

x = torch.ones(2, requires_grad=True)
checkpoint(lambda a: a.sin() * 2, x, use_reentrant=True).sum().backward()
print("end", x.grad)
"""
    out, errors, _ = stepped(tmp_path, "n\n" * 6, script)
    names = [line.split()[1] for line in out.splitlines() if line.startswith("[")]
    inner = ["MulBackward0", "SinBackward0", "AccumulateGrad"]
    assert names == ["SumBackward0", *inner, "CheckpointFunctionBackward", "AccumulateGrad"]
    assert "end tensor([1.0806, 1.0806])" in out  # 2 * cos(1)
    assert errors == ""


def test_help_and_refusal(tmp_path: pathlib.Path) -> None:
    out, _, _ = stepped(tmp_path, "help\nhelp up\nq\n")
    assert "break  clear  continue  finish  help  next  print  quit  up  where" in out
    assert "the forward line of this node" in out
    command = [sys.executable, "-m", "seegrad", "run", "--step", "--explain", "script.py"]
    done = subprocess.run(
        command, cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 2
    assert "--step and --explain do not go together" in done.stderr
