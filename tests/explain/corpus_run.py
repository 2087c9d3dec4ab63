"""Runs the corpus under `seegrad run --explain`: `python -m tests.explain.corpus_run [NUMBERS]`.

`python -m tests.explain.corpus_run 1-42 h5` prints for each script what was wanted and found. A
fault counts as found where the first finding is of its kind, and its line as named where that is
the line the finding names. Kinds that say the same thing of a program count for each other.
"""

import json
import os
import pathlib
import re
import subprocess
import sys

from tests.sources import ROOT

CORPUS = pathlib.Path(__file__).parent / "corpus"
FAULTS = sorted(CORPUS.glob("faults/*.py"))
HEALTHY = sorted(CORPUS.glob("healthy/*.py"))
ENVIRONMENT = os.environ | {"PYTHONPATH": str(ROOT / "src"), "OMP_NUM_THREADS": "1"}
SAME = [
    {"function-grad-changed", "hidden-write-backward"},
    {"flow-dead-relu", "zero-dead-relu"},
    {"flow-detached", "cut-detach"},
    {"memory-on-ctx", "function-kept-on-ctx"},
    {"gradcheck-wrong-part", "function-first-derivative"},
    {"state-on-class", "function-global-state"},
]
ALIKE = {kind: pair for pair in SAME for kind in pair}


def findings(script: pathlib.Path) -> list[dict[str, object]]:
    """What `seegrad run --explain --json` finds; the report is the last thing on stderr."""
    command = [sys.executable, "-m", "seegrad", "run", "--explain", "--json", str(script)]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=120)
    assert "a rule failed" not in done.stderr, done.stderr
    start = done.stderr.rindex("{")
    while True:  # the outermost brace of the report
        try:
            found = json.loads(done.stderr[start:])
        except json.JSONDecodeError:
            found = None
        if found and "findings" in found:
            return list(found["findings"])
        start = done.stderr.rindex("{", 0, start)


def wanted(script: pathlib.Path) -> tuple[set[str], set[int]]:
    """The kinds that are right for a script, and the lines."""
    lines = script.read_text(encoding="utf-8").splitlines()
    kind = lines[0].removeprefix("# cause:").strip()
    marked = {n for n, line in enumerate(lines, 1) if re.search(r"# <- (or )?here\s*$", line)}
    return ALIKE.get(kind, {kind}), marked


def judged(script: pathlib.Path) -> tuple[bool, bool, list[dict[str, object]]]:
    """Whether the cause is right, whether the line is, and what was found."""
    kinds, lines = wanted(script)
    found = findings(script)
    right = bool(found) and found[0]["kind"] in kinds
    named = bool(found) and found[0]["line"] in lines
    return right, named, found


def chosen(arguments: list[str]) -> list[pathlib.Path]:
    """The scripts that arguments name: "7", "1-42", "h3", "h1-60"; all without any."""
    if not arguments:
        return [*FAULTS, *HEALTHY]
    found = []
    for argument in arguments:
        scripts = HEALTHY if argument.startswith("h") else FAULTS
        first, _, last = argument.removeprefix("h").partition("-")
        numbers = range(int(first), int(last or first) + 1)
        found += [script for script in scripts if int(script.stem) in numbers]
    return found


def main(arguments: list[str]) -> None:
    """Prints a line for each script, and the score."""
    causes = lines = alarms = faults = 0
    for script in chosen(arguments):
        if script.parent.name == "healthy":
            found = findings(script)
            alarms += bool(found)
            print("FALSE" if found else "quiet", script.stem, *[f["says"] for f in found][:1])
            continue
        faults += 1
        right, named, found = judged(script)
        causes, lines = causes + right, lines + named
        kinds, marked = wanted(script)
        shown = [(f["kind"], f["line"]) for f in found]
        print("ok   " if right and named else "line " if right else "CAUSE", script.stem, end=" ")
        print(*sorted(kinds), sorted(marked), "found", shown)
    print(f"{causes} causes and {lines} lines of {faults} faults; {alarms} false alarms")


if __name__ == "__main__":
    main(sys.argv[1:])
