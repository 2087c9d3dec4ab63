"""The way back from a loss to a tensor, through the provenance, and where a gradient stops on it.

A gradient walks from what a call made to what it was made from while both require one. Where the
result does not, or is a new leaf that only holds the numbers, the way is *cut* (Note
[Provenance]); the record goes on there, so that it can be said which cut hides what.
"""

from collections import deque
from collections.abc import Iterable
from typing import NamedTuple

from seegrad.explain.places import Place
from seegrad.explain.record import Made, is_write

__all__ = [
    "COPIES", "REMADE", "UNRELATED", "Cut", "ancestors", "birth", "carries", "first_cut",
    "kind_of", "kind_of_word", "leading", "line_of", "reaches", "selves",
]  # fmt: skip


class Cut(NamedTuple):
    """Where a gradient stops: the call, and what it was given and leaves without a gradient."""

    made: Made
    parent: Made


# Their values do not depend on the values of the tensor they are given.
UNRELATED = frozenset(
    ["zeros_like", "ones_like", "empty_like", "full_like", "rand_like", "randn_like"]
    + ["randint_like", "new_zeros", "new_ones", "new_empty", "new_full", "new_empty_strided"]
    + ["grad", "backward"]
)
COMPARISONS = frozenset(
    ["gt", "lt", "ge", "le", "eq", "ne", "__eq__", "greater", "greater_equal", "less", "isclose"]
    + ["less_equal", "not_equal", "logical_and", "logical_or", "logical_not", "logical_xor"]
    + ["isnan", "isfinite", "isinf", "signbit", "equal", "allclose", "any", "all"]
)
CHOICES = frozenset(
    ["argmax", "argmin", "argsort", "argwhere", "nonzero", "topk", "sort", "max", "min", "mode"]
    + ["searchsorted", "bucketize", "multinomial", "kthvalue", "median", "count_nonzero", "unique"]
    + ["bincount", "histc", "cummax", "cummin", "nanmedian", "aminmax"]
)
ROUNDINGS = frozenset(
    ["round", "floor", "ceil", "trunc", "fix", "sign", "sgn", "floor_divide", "__floordiv__"]
    + ["bernoulli", "heaviside"]
)
INTEGERS = frozenset(["long", "int", "short", "byte", "char"])
BOOLS = frozenset(["bool"])
REMADE = frozenset(
    ["tensor", "as_tensor", "asarray", "new_tensor", "scalar_tensor", "legacy_tensor"]
)
COPIES = frozenset(["Parameter", "data.__set__", "load_state_dict", "__deepcopy__", "set_"])
MODES = {
    "no_grad": "cut-no-grad",
    "inference_mode": "cut-inference-mode",
    "set_grad_enabled": "cut-set-grad-enabled",
}
# The words that a tensor without history carries (Note [Cut]), as kinds.
WORDS = {
    "detach": "cut-detach",
    "data": "cut-data",
    "no_grad": "cut-no-grad",
    "inference_mode": "cut-inference-mode",
    "to_copy": "cut-integer-cast",
}
NAMED = (
    (COMPARISONS, "cut-comparison"),
    (CHOICES, "cut-argmax"),
    (ROUNDINGS, "cut-rounding"),
    (INTEGERS, "cut-integer-cast"),
    (BOOLS, "cut-bool-cast"),
    (REMADE, "recreated-tensor"),
)


def selves(made: Made | None) -> set[Made]:
    """What a tensor was before it was written to: the provenance of the same tensor."""
    found: set[Made] = set()
    while made is not None:
        found.add(made)
        same = is_write(made.name) or made.name in ("data.__set__", "load_state_dict")
        made = made.parents[0] if same and made.parents else None
    return found


def birth(made: Made) -> Made:
    """What a tensor was before anybody wrote to it."""
    return min(selves(made), key=lambda one: one.number)


def ancestors(roots: Iterable[Made]) -> set[Made]:
    """All that something was made from, itself included."""
    found: set[Made] = set()
    waiting = list(roots)
    while waiting:
        made = waiting.pop()
        if made not in found:
            found.add(made)
            if made.name not in UNRELATED:
                waiting += made.parents
    return found


def leading(roots: Iterable[Made], targets: set[Made]) -> set[Made]:
    """Those of the ancestors that were made from one of the targets."""
    found: set[Made] = set()
    for made in sorted(ancestors(roots), key=lambda one: one.number):
        if made in targets or (
            made.name not in UNRELATED and any(parent in found for parent in made.parents)
        ):
            found.add(made)
    return found


def reaches(roots: Iterable[Made], targets: set[Made]) -> bool:
    """Whether a gradient gets from one of the roots to a target."""
    waiting, seen = [one for one in roots if one.recorded], set[Made]()
    while waiting:
        made = waiting.pop()
        if made in targets:
            return True
        if made not in seen:
            seen.add(made)
            waiting += [p for p in made.parents if p.recorded and carries(p, made)]
    return False


def carries(parent: Made, made: Made) -> bool:
    """Whether a result that requires a gradient hands it on to what it was made from."""
    if made.name in COPIES or made.name in REMADE:
        return False
    if made.undone is not None and is_write(made.name):
        return parent is made.parents[0]
    return True


def first_cut(roots: Iterable[Made], targets: set[Made]) -> Cut | None:
    """The first place on the way from the roots to a target where the gradient stops."""
    way = leading(roots, targets)
    waiting = deque(one for one in roots if one in way)
    seen: set[Made] = set()
    hidden: Cut | None = None  # behind it there is another one
    while waiting:
        made = waiting.popleft()
        if made in seen or made in targets:
            continue
        seen.add(made)
        for parent in made.parents:
            if parent not in way or made.name in UNRELATED:
                continue
            lost = parent.recorded and not made.recorded
            if lost or (made.recorded and not carries(parent, made) and not is_self(parent, made)):
                if made.name in COPIES or reaches([parent], targets):
                    return Cut(made, parent)
                hidden = hidden or Cut(made, parent)
            waiting.append(parent)
    return hidden


def is_self(parent: Made, made: Made) -> bool:
    """Whether this is the tensor before it was written to."""
    return parent is made.parents[0] and made.name not in REMADE and made.name != "Parameter"


def kind_of(cut: Cut) -> str | None:
    """The word for a cut; None for a call that nobody thought of."""
    made = cut.made
    known = kind_of_call(made.name)
    if known is not None:
        return known
    if made.recorded:
        return "copied-not-linked"
    if made.undone is not None:
        return MODES.get(made.undone[0])
    if made.name in ("data.__get__", "data.__set__"):
        return "cut-data"
    if made.name in ("detach", "detach_"):
        return "cut-detach"
    if made.name in COPIES:
        return "copied-not-linked"
    return None


def kind_of_call(name: str) -> str | None:
    """The word for a function that has no derivative."""
    return next((kind for names, kind in NAMED if name in names), None)


def kind_of_word(word: str) -> str | None:
    """As `kind_of`, of what the tensor itself says."""
    return WORDS.get(word) or kind_of_call(word)


def line_of(cut: Cut, kind: str) -> Place | None:
    """The line to name: of the mode where one was on, else of the call."""
    undone = cut.made.undone
    if kind in MODES.values() and undone is not None and undone[1] is not None:
        return undone[1]
    return cut.made.place
