"""Tensors made from the numbers of others: `torch.tensor(x.item())`, a NumPy round trip, `math`.

No call leads from the one to the other; so a likely way is looked for: numbers that left a tensor,
and on a line that their value can get to, in the source, a tensor that the loss was made from.
"""

import ast
from collections.abc import Iterable
from typing import NamedTuple

from seegrad.explain.gradients.chains import ancestors
from seegrad.explain.places import Place
from seegrad.explain.record import Exit, Made
from seegrad.explain.source.statements import calls_of, leads_to, statement_at, within

__all__ = ["Round", "judged", "round_trip"]

CREATIONS = frozenset(
    ["tensor", "as_tensor", "asarray", "from_numpy", "new_tensor", "scalar_tensor", "full"]
    + ["legacy_tensor", "full_like", "new_full", "frombuffer", "leaf", "Parameter"]
)
ARRAYS = ("numpy", "__array__")


class Round(NamedTuple):
    """Numbers that left a tensor, and the tensor that was made of them, None where none was."""

    exit: Exit
    creation: Made | None
    kind: str
    place: Place | None


def round_trip(exits: Iterable[Exit], roots: Iterable[Made], targets: set[Made]) -> Round | None:
    """The likely way from a target to the loss that runs through numbers."""
    made = ancestors(roots)
    lines = lines_of(made)
    for exit in exits:
        place = exit.place
        if place is None or exit.name in ("__bool__", "__format__"):
            continue
        if exit.made in made and not targets & {exit.made} and exit.made.recorded:
            continue  # it is part of the loss, too
        if not targets & ancestors([exit.made]):
            continue
        ends = {line for line, last in lines.get(place.file, {}).items() if last > exit.number}
        if leads_to(place.file, place.line, ends):
            return judged(exit, creation_after(exit, made))
    return None


def lines_of(made: Iterable[Made]) -> dict[str, dict[int, int]]:
    """By file and line: the number of the last tensor made there."""
    found: dict[str, dict[int, int]] = {}
    for one in made:
        place = one.place
        if place is not None:
            lines = found.setdefault(place.file, {})
            lines[place.line] = max(lines.get(place.line, 0), one.number)
    return found


def creation_after(exit: Exit, made: Iterable[Made]) -> Made | None:
    """The tensor made of the numbers: the first one made after they left, where they can get."""
    place = exit.place
    assert place is not None
    later = [
        one
        for one in made
        if one.name in CREATIONS and one.number > exit.number and one.place is not None
    ]
    for one in sorted(later, key=lambda one: one.number):
        there = one.place
        if there is not None and there.file == place.file:
            if leads_to(place.file, place.line, {there.line}):
                return one
    return None


def is_same(one: Place | None, other: Place | None) -> bool:
    """Whether two places are the same line; a comprehension has code of its own."""
    return one is not None and other is not None and str(one) == str(other)


def is_list_of(place: Place | None) -> bool:
    """Whether the line goes through tensors: `torch.tensor([loss.item() for loss in losses])`."""
    statement = statement_at(place.file, place.line) if place is not None else None
    return statement is not None and any(isinstance(n, ast.ListComp) for n in within(statement))


def judged(exit: Exit, creation: Made | None) -> Round:
    """What to call it, and the line to name."""
    if calls_of(exit.place, ("math", "cmath")):
        return Round(exit, creation, "recreated-math", exit.place)
    if exit.name in ("__int__", "__index__"):
        return Round(exit, creation, "cut-integer-cast", exit.place)
    there = creation.place if creation is not None else None
    if exit.name in ARRAYS or (creation is not None and creation.name == "from_numpy"):
        return Round(exit, creation, "recreated-numpy", there or exit.place)
    if exit.name == "tolist" or (is_same(there, exit.place) and is_list_of(there)):
        return Round(exit, creation, "recreated-tensor", there or exit.place)
    return Round(exit, creation, "recreated-item", exit.place)
