"""The runs that the READMEs show print what they show."""

import subprocess
import sys
import textwrap

import pytest

from tests.explain.corpus_run import ENVIRONMENT
from tests.sources import ROOT

FOLDER = ROOT / "examples" / "explain"


@pytest.mark.parametrize("script", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_run_is_as_shown(script: object) -> None:
    command = [sys.executable, "-m", "seegrad", "run", "--explain", script.name]  # type: ignore[attr-defined]
    done = subprocess.run(
        command, cwd=FOLDER, env=ENVIRONMENT, capture_output=True, text=True, timeout=120
    )
    said = done.stderr[done.stderr.index("explain: ") :].rstrip()
    for readme in ("README.md", "README.ko.md"):
        assert textwrap.indent(said, "    ") in (ROOT / readme).read_text(encoding="utf-8")
