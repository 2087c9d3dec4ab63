"""Runs a few lines in a new interpreter and reads the JSON that they print."""

import json
import os
import subprocess
import sys
from typing import Any

from tests.sources import ROOT


def run(code: str, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    """A new interpreter runs ``code``, with seegrad on its path and warnings as errors."""
    path = os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]).rstrip(
        os.pathsep
    )
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code, *arguments],
        env=os.environ | {"PYTHONPATH": path, "OMP_NUM_THREADS": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=check,
        timeout=120,
    )


def answer(code: str) -> Any:
    """The JSON that ``code`` prints last."""
    return json.loads(run(code).stdout.splitlines()[-1])
