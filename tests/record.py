"""Asks PyTorch for its answers and writes them to tests/recorded/.

    python tests/record.py [NAME ...]

Each ``tests/recorders/*.py`` has a ``NAME`` and either a function ``cases()``, snippets by their
names, or a function ``record(torch)`` that returns a dictionary of plain JSON. The file holds one
entry a line, sorted by key, so that a change of one answer is a change of one line.
"""

import importlib
import json
import pathlib
import sys
from typing import Any

TESTS = pathlib.Path(__file__).parent
RECORDED = TESTS / "recorded"


def recorders() -> dict[str, Any]:
    """The recorder modules by their NAME."""
    files = sorted((TESTS / "recorders").glob("[a-z]*.py"))
    modules = [importlib.import_module(f"tests.recorders.{file.stem}") for file in files]
    return {module.NAME: module for module in modules}


def ask(recorder: Any, torch: Any) -> dict[str, Any]:
    """PyTorch's answers by their names."""
    from tests.observe import observe  # here, because a script finds it only once it has its path

    if hasattr(recorder, "record"):
        return dict(recorder.record(torch))
    return {name: observe(snippet, torch) for name, snippet in recorder.cases().items()}


def render(answers: dict[str, Any]) -> str:
    """Compact JSON, one entry a line, keys sorted."""
    lines = [
        f"{json.dumps(key, ensure_ascii=False)}: {_compact(answers[key])}"
        for key in sorted(answers)
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def recorded(name: str) -> dict[str, Any]:
    """The answers on file."""
    return dict(json.loads((RECORDED / f"{name}.json").read_text(encoding="utf-8")))


def main(wanted: list[str]) -> None:
    """Records what is named, or everything."""
    import torch

    known = recorders()
    unknown = sorted(set(wanted) - set(known))
    if unknown:
        raise SystemExit(f"no recorder named {', '.join(unknown)}; there are {', '.join(known)}")
    RECORDED.mkdir(exist_ok=True)
    for name in wanted or known:
        text = render(ask(known[name], torch))
        (RECORDED / f"{name}.json").write_text(text, encoding="utf-8")
        print(f"{name}: {text.count(chr(10)) - 2} answers of PyTorch {torch.__version__}")


if __name__ == "__main__":
    sys.path.insert(0, str(TESTS.parent))
    main(sys.argv[1:])
