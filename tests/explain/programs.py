"""Small programs with one planted fault, run under watch by the detectives at hand."""

import pathlib
import textwrap
from typing import Any

from seegrad.explain.report import Finding
from seegrad.explain.session import Detective, Session


def findings(
    folder: pathlib.Path, text: str, *kinds: type[Detective], fails: bool = False
) -> list[Finding]:
    """What detectives find in a program; a line marked `# <-` is the one they should name."""
    path = folder / "program.py"
    path.write_text("import seegrad as torch\n" + textwrap.dedent(text), encoding="utf-8")
    names: dict[str, Any] = {"__name__": "__main__"}
    code = compile(path.read_text(encoding="utf-8"), str(path), "exec", dont_inherit=True)
    session = Session(kinds, names)
    failed = False
    try:
        with session:
            exec(code, names)
    except Exception:
        failed = True
    assert failed == fails
    return list(session.report())


def marked(finding: Finding) -> bool:
    """Whether a finding names the line that is marked."""
    return finding.place is not None and finding.place.text.endswith("# <-")
