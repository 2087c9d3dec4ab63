"""What the tools say: findings, each with its line and its evidence, and reports of them."""

import html
import linecache
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from seegrad.explain.places import Place

__all__ = ["Finding", "Report"]


@dataclass(frozen=True)
class Finding:
    """One cause: what it is, where it is, and what shows it.

    `kind`: a word for programs, such as "cut-detach". `says`: one sentence. `place`: the line to
    look at, None where none is known. `evidence`: further sentences. `certain`: False where the
    finding is a suspicion. `weight`: 3 where it explains the error that ended the program, 2 what
    the program looked at (a None, a NaN, a failed assertion), 1 what nobody looked at.
    """

    kind: str
    says: str
    place: Place | None = None
    evidence: tuple[str, ...] = ()
    certain: bool = True
    weight: int = 1

    def __str__(self) -> str:
        where = f"{self.place}: " if self.place is not None else ""
        lines = [f"{where}{self.says}"]
        if self.place is not None and self.place.text:
            lines.append(f"    {self.place.line} | {self.place.text}")
        return "\n".join([*lines, *(f"  - {one}" for one in self.evidence)])

    def to_dict(self) -> dict[str, Any]:
        """The finding as plain values, for JSON."""
        place = self.place
        return {
            "kind": self.kind,
            "says": self.says,
            "file": place.file if place else None,
            "line": place.line if place else None,
            "source": place.text if place else None,
            "evidence": list(self.evidence),
            "certain": self.certain,
        }


@dataclass(frozen=True)
class Report:
    """Findings in the order of their weight; empty where nothing is wrong.

    >>> print(Report([Finding("frozen", "weight does not require a gradient")]))
    weight does not require a gradient
    """

    findings: Sequence[Finding] = field(default_factory=list)
    healthy: str = "nothing wrong was seen"

    def __str__(self) -> str:
        return "\n".join(map(str, self.findings)) or self.healthy

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.findings)

    def __bool__(self) -> bool:
        return bool(self.findings)

    def to_dict(self) -> dict[str, Any]:
        """The report as plain values, for JSON."""
        return {"findings": [finding.to_dict() for finding in self.findings]}

    def _repr_html_(self) -> str:
        items = "".join(f"<li>{as_html(finding)}</li>" for finding in self.findings)
        return f"<ol>{items}</ol>" if items else f"<p>{html.escape(self.healthy)}</p>"

    def __rich__(self) -> Any:
        from rich.text import Text

        text = Text()
        for finding in self.findings:
            head, *rest = str(finding).splitlines()
            text.append(head + "\n", style="bold" if finding.certain else "")
            text.append("".join(line + "\n" for line in rest), style="dim")
        return text if self.findings else Text(self.healthy)


def as_html(finding: Finding) -> str:
    """One finding, escaped."""
    place = finding.place
    parts = [f"<b>{html.escape(finding.says)}</b>"]
    if place is not None:
        source = linecache.getline(place.file, place.line).strip()
        parts.append(f"<code>{html.escape(str(place))}: {html.escape(source)}</code>")
    return "<br>".join([*parts, *map(html.escape, finding.evidence)])
