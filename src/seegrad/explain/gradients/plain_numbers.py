"""A loss that is a plain number: `'float' object has no attribute 'backward'`."""

from seegrad.explain.gradients.recreated import judged
from seegrad.explain.record import Exit
from seegrad.explain.report import Finding
from seegrad.explain.session import Session
from seegrad.explain.source.statements import is_showing, leads_to, statement_at, within

__all__ = ["number_for_loss"]

SAYS = {
    "recreated-math": "a function of math returns a plain number here",
    "recreated-numpy": "the values leave torch for NumPy here",
}


def number_for_loss(session: Session) -> Finding | None:
    """The line that made a number of what backward was to be called on; None for other errors."""
    error, frames = session.error, session.frames()
    if not isinstance(error, AttributeError) or error.name != "backward" or not frames:
        return None
    kind, place = type(error.obj).__name__, frames[-1].place
    exits = [exit for exit in reversed(session.record.exits) if is_taken_out(exit)]
    for exit in exits:
        there = exit.place
        if there is None or there.file != place.file:
            continue
        if leads_to(there.file, there.line, {place.line}) or is_only_one(exit, exits):
            found = judged(exit, None)
            what = SAYS.get(
                found.kind, f"{exit.name.strip('_')}() makes a plain Python number here"
            )
            says = f"{what}, and {article(kind)} {kind} has no backward(): keep the tensor"
            evidence = (f"backward was asked for at {place}: `{place.text}`",)
            return Finding(found.kind, says, found.place, evidence, weight=3)
    return None


def is_taken_out(exit: Exit) -> bool:
    """Whether a number of a computation that has a history was taken out to be used."""
    if exit.place is None or exit.name in ("__bool__", "__format__") or not exit.made.live:
        return False
    statement = statement_at(exit.place.file, exit.place.line)
    return statement is None or not any(is_showing(node) for node in within(statement))


def is_only_one(exit: Exit, exits: list[Exit]) -> bool:
    """Whether no other line takes numbers out: then the way need not be seen."""
    return all(one.place == exit.place for one in exits)


def article(word: str) -> str:
    """Which article goes before a word."""
    return "an" if word[0] in "aeiou" else "a"
