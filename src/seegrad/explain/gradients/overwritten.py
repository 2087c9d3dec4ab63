"""Values written over: every way from the loss to a tensor ends at a write in place that hides it.

`y.copy_(x)` leaves nothing of what y was, so the gradient of y's history is zero whatever arrives.
"""

import ast
from collections.abc import Iterable

from seegrad.explain.gradients.chains import ancestors, carries
from seegrad.explain.places import Place
from seegrad.explain.record import Made
from seegrad.explain.source.statements import statement_at

__all__ = ["overwriting"]

OVERWRITES = frozenset(
    ["copy_", "fill_", "zero_", "normal_", "uniform_", "random_", "bernoulli_", "exponential_"]
    + ["log_normal_", "cauchy_", "geometric_"]
)


def overwriting(roots: Iterable[Made], targets: set[Made]) -> Made | None:
    """The write that stands on every way to the targets; None where one leads around."""
    waiting, seen = [one for one in roots if one.recorded], set[Made]()
    hidden: list[Made] = []
    while waiting:
        made = waiting.pop()
        if made in targets:
            return None
        if made in seen:
            continue
        seen.add(made)
        parents = [p for p in made.parents if p.recorded and carries(p, made)]
        if is_overwriting(made):
            hidden.append(made)
            parents = [p for p in parents if p is not made.parents[0]]
        waiting += parents
    guilty = [one for one in hidden if targets & ancestors(one.parents[:1])]
    return max(guilty, key=lambda one: one.number, default=None)


def is_overwriting(made: Made) -> bool:
    """Whether a call leaves nothing of what its first argument was."""
    if made.undone is not None or not made.parents:
        return False
    return made.name in OVERWRITES or (made.name == "__setitem__" and is_whole(made.place))


def is_whole(place: Place | None) -> bool:
    """Whether the line is `x[:] = ...` or `x[...] = ...`."""
    statement = statement_at(place.file, place.line) if place is not None else None
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    index = target.slice if isinstance(target, ast.Subscript) else None
    if isinstance(index, ast.Slice):
        return index.lower is None and index.upper is None
    return isinstance(index, ast.Constant) and index.value is ...
