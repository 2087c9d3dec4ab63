"""`seegrad run` runs a script as Python would; the other commands answer or say how to ask."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import textwrap

import pytest

from seegrad.cli import main
from tests.sources import ROOT

ENVIRONMENT = os.environ | {"PYTHONPATH": str(ROOT / "src"), "OMP_NUM_THREADS": "1"}


def _run(
    *arguments: str, folder: pathlib.Path, python: bool = False
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable] if python else [sys.executable, "-m", "seegrad", "run"]
    return subprocess.run(
        [*command, *arguments], cwd=folder, env=ENVIRONMENT, capture_output=True, text=True,
        timeout=120, stdin=subprocess.DEVNULL,
    )  # fmt: skip


def _script(folder: pathlib.Path, text: str, name: str = "script.py") -> str:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(textwrap.dedent(text).lstrip(), encoding="utf-8")
    return name


def test_script_runs_unmodified(tmp_path: pathlib.Path) -> None:
    _script(tmp_path, """
        import torch
        import torch.nn as nn
        import torch.nn.functional as F
        from torch.autograd import Function

        torch.manual_seed(0)
        model = nn.Linear(2, 1)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        x, y = torch.ones(4, 2), torch.zeros(4, 1)
        for _ in range(50):
            optimizer.zero_grad()
            loss = F.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
        print(loss.item() < 1e-4, torch.cuda.is_available())
    """)  # fmt: skip
    ended = _run("script.py", folder=tmp_path)
    assert (ended.stdout, ended.stderr, ended.returncode) == ("True False\n", "", 0)


WORLD = """
    import json, sys
    import neighbour
    here = sys.modules["__main__"]
    print(json.dumps([
        __name__, __file__, __package__, __spec__, __doc__, sys.argv, sys.path[0],
        vars(here) is globals(), neighbour.seen, sorted(globals()),
    ]))
"""


def test_script_sees_what_python_shows_it(tmp_path: pathlib.Path) -> None:
    _script(tmp_path, "seen = __name__\n", "neighbour.py")
    _script(tmp_path, WORLD)
    arguments = ["script.py", "a", "-b", "--help", "--", "-m"]
    ours = _run(*arguments, folder=tmp_path)
    pythons = _run(*arguments, folder=tmp_path, python=True)
    assert ours.stderr == ""
    # Whether these two are there depends on the version of Python.
    varying = re.compile(r'"__(cached|annotations)__", ')
    assert varying.sub("", ours.stdout) == varying.sub("", pythons.stdout)


def test_other_folder(tmp_path: pathlib.Path) -> None:
    _script(tmp_path, "seen = 1\n", "inner/neighbour.py")
    _script(tmp_path, "import neighbour, sys; print(neighbour.seen, sys.argv)", "inner/script.py")
    ended = _run("inner/script.py", "x", folder=tmp_path)
    assert ended.stdout == "1 ['inner/script.py', 'x']\n"


ERRORS = {
    "raises": """
        import torch
        def outer(x):
            return inner(x)
        def inner(x):
            try:
                {}["key"]
            except KeyError as error:
                raise ValueError("no such key") from error
        outer(1)
    """,
    "syntax": "import torch\nx = = 3\n",
    "import": "import torch\nimport no_such_module_anywhere\n",
    "exit": "import sys\nsys.exit(7)\n",
    "exit text": "raise SystemExit('good bye')\n",
    "exit none": "raise SystemExit\n",
    "assertion": "assert 1 == 2, 'not equal'\n",
    "hook": """
        import sys
        sys.excepthook = lambda kind, error, traceback: print("mine:", kind.__name__, error)
        1 / 0
    """,
    "group": "raise ExceptionGroup('two', [ValueError(1), KeyError(2)])\n",
    "note": "e = ValueError('x')\ne.add_note('look here')\nraise e\n",
}


@pytest.mark.parametrize("name", ERRORS)
def test_script_that_fails(name: str, tmp_path: pathlib.Path) -> None:
    text = ERRORS[name].replace("import torch\n", "")
    script = _script(tmp_path, text)
    ours, pythons = _run(script, folder=tmp_path), _run(script, folder=tmp_path, python=True)
    assert ours.stderr == pythons.stderr
    assert (ours.stdout, ours.returncode) == (pythons.stdout, pythons.returncode)


def test_traceback_of_an_error_of_the_engine(tmp_path: pathlib.Path) -> None:
    script = _script(tmp_path, """
        import torch
        def double(x):
            return x.backward()
        double(torch.ones(2, requires_grad=True))
    """)  # fmt: skip
    ended = _run(script, folder=tmp_path)
    lines = ended.stderr.splitlines()
    assert lines[0] == "Traceback (most recent call last):"
    assert lines[1].endswith('script.py", line 4, in <module>')
    assert "grad can be implicitly created only for scalar outputs" in lines[-2]  # then a note
    assert not any(part in ended.stderr for part in ("runner.py", "cli.py", "runpy"))
    assert ended.returncode == 1


@pytest.mark.skipif(os.name == "nt", reason="sends a signal")
def test_interrupted_script(tmp_path: pathlib.Path) -> None:
    script = _script(tmp_path, """
        import time
        print("ready", flush=True)
        time.sleep(60)
    """)  # fmt: skip
    with subprocess.Popen(
        [sys.executable, "-m", "seegrad", "run", script], cwd=tmp_path, env=ENVIRONMENT,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        # A shell's background jobs ignore the signal, and hand that down.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:  # fmt: skip
        assert process.stdout is not None
        first = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=30)
    assert first == "ready\n"
    assert process.returncode == 130
    assert said.splitlines()[-1] == "KeyboardInterrupt"
    assert "runner.py" not in said


def test_no_such_script(tmp_path: pathlib.Path) -> None:
    _script(tmp_path, "", "training.py")
    ended = _run("trainign.py", folder=tmp_path)
    first, second = ended.stderr.splitlines()
    assert first.startswith("seegrad run: can't open file '")
    assert first.endswith("trainign.py': [Errno 2] No such file or directory")
    assert second.startswith("Did you mean: ")
    assert second.endswith("training.py")
    assert (ended.stdout, ended.returncode) == ("", 2)


def test_folder_and_module(tmp_path: pathlib.Path) -> None:
    _script(tmp_path, "import sys, torch; print(__name__, __package__, sys.argv[1:])",
            "tool/__main__.py")  # fmt: skip
    assert _run("tool", "x", folder=tmp_path).stdout == "__main__  ['x']\n".replace("  ", " None ")
    assert _run("-m", "tool", "x", folder=tmp_path).stdout == "__main__ tool ['x']\n"
    (tmp_path / "empty").mkdir()
    assert "can't find '__main__' module" in _run("empty", folder=tmp_path).stderr
    assert "No module named nothing" in _run("-m", "nothing", folder=tmp_path).stderr


def test_missing_part_of_torch(tmp_path: pathlib.Path) -> None:
    script = _script(tmp_path, "import torch\nimport torch.no_such_part\n")
    ended = _run(script, folder=tmp_path)
    assert ended.returncode == 1
    assert ended.stderr.splitlines()[1].endswith('script.py", line 2, in <module>')
    assert "No module named 'torch.no_such_part': torch is seegrad here" in ended.stderr


def _say(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(list(arguments))
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert _say(capsys, "--version") == (0, "seegrad 0.1.0 (behaves as PyTorch 2.13.0)\n", "")


@pytest.mark.parametrize(
    "arguments, said",
    [
        ([], "no command given"),
        (["rnu"], "unknown command 'rnu' (did you mean run?)"),
        (["run"], "run needs a script"),
        (["run", "-m"], "run needs a script"),
        (["show"], "show needs the name of one operator"),
        (["show", "mul", "add"], "show needs the name of one operator"),
    ],
)
def test_misuse(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = _say(capsys, *arguments)
    assert (status, out) == (2, "")
    assert err.startswith(f"seegrad: {said}\nusage: seegrad run SCRIPT")


def test_help(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = _say(capsys, "--help")
    assert (status, err) == (0, "")
    assert out.startswith("usage: seegrad run SCRIPT")


def test_show_prints_the_source_of_an_operator(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = _say(capsys, "show", "mul")
    assert status == 0
    assert "MulBackward0" in out
    assert "def " in out


def test_show_names_the_nearest_operator(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = _say(capsys, "show", "mull")
    assert (status, out) == (2, "")
    assert "mul" in err


def test_explained_run_says_its_say_last(tmp_path: pathlib.Path) -> None:
    text = """
        import torch
        x = torch.ones(2, requires_grad=True)
        x.sum().backward()
        print(x.grad)
    """
    name = _script(tmp_path, text)
    done = _run("--explain", name, folder=tmp_path)
    assert (done.returncode, done.stdout) == (0, "tensor([1., 1.])\n")
    assert done.stderr == "explain: nothing wrong was seen\n"
    assert _run("--explain", "--json", name, folder=tmp_path).stderr == '{\n  "findings": []\n}\n'


def test_explained_run_ends_as_the_script_does(tmp_path: pathlib.Path) -> None:
    name = _script(tmp_path, "import sys\nprint(sys.argv[1:])\nsys.exit(7)\n")
    done = _run("--explain", name, "--json", folder=tmp_path)
    assert (done.returncode, done.stdout) == (7, "['--json']\n")
    _script(tmp_path, "import torch\nassert torch.ones(1) == 2, 'no'\n")
    done = _run("--explain", name, folder=tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("Traceback (most recent call last):\n  File ")
    assert "AssertionError: no\nexplain: " in done.stderr


TRAINS = """
    import torch
    model = torch.nn.Linear(2, 1)
    for step in range(3):
        loss = model(torch.ones(step + 1, 2)).exp().sum()
        loss.backward()
    print("trained")
"""


@pytest.mark.parametrize(
    "options, rows, said",
    [
        ([], 1, "(first of 3)"),
        (["--pass", "last"], 3, "(last of 3)"),
        (["--pass", "2"], 2, "(number 2 of 3)"),
    ],
)
def test_graph_of_a_pass_is_drawn(
    options: list[str], rows: int, said: str, tmp_path: pathlib.Path
) -> None:
    _script(tmp_path, TRAINS)
    ended = _run("--graph", "out.json", *options, "script.py", folder=tmp_path)
    assert (ended.stdout, ended.returncode) == ("trained\n", 0)
    assert ended.stderr == f"seegrad run: the graph of backward() {said} is in out.json\n"
    nodes = {n["name"]: n for n in json.loads((tmp_path / "out.json").read_text())["nodes"]}
    assert nodes["exp"]["shape"] == [rows, 1]
    assert nodes["exp"]["place"] == "script.py:4"
    assert nodes["exp"]["saved"]  # as it was before the pass freed it
    assert nodes["exp"]["gradient"]["max"] == 1
    assert nodes["model.weight"]["group"] == nodes["addmm"]["group"] == ["model"]


def test_graph_of_a_pass_that_never_ran(tmp_path: pathlib.Path) -> None:
    _script(tmp_path, TRAINS)
    ended = _run("--graph", "out.json", "--pass", "4", "script.py", folder=tmp_path)
    assert ended.stderr == "seegrad run: nothing to draw: backward() ran 3 times\n"
    assert not (tmp_path / "out.json").exists()


@pytest.mark.parametrize(
    "options, said",
    [
        (
            ["--graph", "out.gif"],
            "--graph writes .html, .svg, .png, .dot, .mmd, .json, not",
        ),
        (["--graph", "no/out.svg"], "--graph cannot write 'no/out.svg': there is no such folder"),
        (["--pass", "2"], "--pass chooses what --graph draws"),
        (["--graph", "out.svg", "--pass", "0"], "--pass is first, last or a number from 1"),
        (["--graph", "out.svg", "--step"], "--graph goes with no other option"),
    ],
)
def test_graph_is_refused_before_the_script_runs(
    options: list[str], said: str, tmp_path: pathlib.Path
) -> None:
    _script(tmp_path, TRAINS)
    ended = _run(*options, "script.py", folder=tmp_path)
    assert (ended.stdout, ended.returncode) == ("", 2)
    assert said in ended.stderr
