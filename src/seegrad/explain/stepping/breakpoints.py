"""Where a walk through backward stops: at an operator, at a line, or where a condition holds."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from seegrad.explain.saved import operator_of

if TYPE_CHECKING:
    from seegrad.explain.stepping.walk import Step

__all__ = ["Breakpoint", "breakpoints"]

# What users say: "mul", "MulBackward0", 12, "script.py:12", or a function of a Step.
Wanted = Any


class Breakpoint:
    """One place to stop at; `text` is how the user said it."""

    def __init__(self, text: str, holds: "Callable[[Step], Any]") -> None:
        self.text = text
        self.holds = holds

    def __str__(self) -> str:
        return self.text


def breakpoints(wanted: Wanted) -> list[Breakpoint]:
    """One or several breakpoints.

    Raises TypeError for what is neither a name, nor a line, nor a function.
    """
    if isinstance(wanted, (list, tuple)):
        return [one for each in wanted for one in breakpoints(each)]
    if isinstance(wanted, str):
        file, colon, line = wanted.rpartition(":")
        if colon and line.isdigit():
            return [Breakpoint(wanted, at_line(int(line), file))]
        if wanted.isdigit():
            return [Breakpoint(wanted, at_line(int(wanted), ""))]
        return [Breakpoint(wanted, at_operator(wanted))]
    if isinstance(wanted, int) and not isinstance(wanted, bool):
        return [Breakpoint(str(wanted), at_line(wanted, ""))]
    if callable(wanted):
        return [Breakpoint(getattr(wanted, "__name__", repr(wanted)), wanted)]
    raise TypeError(
        "a breakpoint is an operator ('mul', 'MulBackward0'), a line (12, 'script.py:12') or a "
        f"function of a step, not {type(wanted).__name__}"
    )


def at_line(line: int, file: str) -> "Callable[[Step], bool]":
    """Whether a step belongs to a line of the forward."""

    def holds(step: "Step") -> bool:
        place = step.place
        return place is not None and place.line == line and place.file.endswith(file)

    return holds


def at_operator(name: str) -> "Callable[[Step], bool]":
    """Whether a step is of an operator, by either of its names."""
    lowered = name.lower()

    def holds(step: "Step") -> bool:
        node = step.node
        return lowered in (
            node.name().lower(),
            node.name().rpartition("::")[2].lower(),
            operator_of(node),
            str(step.call).lower(),
        )

    return holds
