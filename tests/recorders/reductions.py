"""What PyTorch shows for calls at the borders of reductions and their kin."""

from typing import Any

from tests.observe import Snippet
from tests.reductions.borders import LINES
from tests.reductions.showing import shown

NAME = "reductions"


def cases() -> dict[str, Snippet]:
    """The lines of each topic."""
    return {topic: _snippet(text.split("\n")) for topic, text in LINES.items()}


def _snippet(lines: list[str]) -> Snippet:
    def snippet(torch: Any) -> Any:
        return {line: shown(torch, line) for line in lines if line}

    return snippet
