"""Gradients that lack a part: of several ways from the loss to a tensor one is cut.

Programs stop gradients on purpose, so this is said only where the program itself found a gradient
to be wrong: by an assertion that failed, or beside a value that it says is the right one.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from seegrad.explain.gradients.chains import (
    COPIES,
    Cut,
    ancestors,
    birth,
    kind_of,
    leading,
    line_of,
    reaches,
    selves,
)
from seegrad.explain.gradients.gradientless import is_authors
from seegrad.explain.gradients.recreated import round_trip
from seegrad.explain.gradients.wordings import spoken
from seegrad.explain.places import Place
from seegrad.explain.record import Made, PassRecord
from seegrad.explain.report import Finding
from seegrad.explain.session import Detective
from seegrad.explain.source.printed import gradients_beside_values
from seegrad.explain.source.statements import lines_behind

__all__ = ["PartialCuts"]

CUTS = {
    "cut-detach": "detach()",
    "cut-data": ".data",
    "cut-no-grad": "no_grad()",
    "cut-inference-mode": "inference_mode()",
    "cut-set-grad-enabled": "set_grad_enabled(False)",
    "recreated-tensor": "a tensor made anew from numbers",
    "recreated-numpy": "a walk through NumPy",
    "recreated-item": "a plain Python number",
    "cut-integer-cast": "a cast to a whole number",
    "recreated-math": "a function of math, which returns a plain number,",
}
# Which element is the largest does not change when all move: people cut this one rightly.
EXTREMES = frozenset(["max", "amax", "min", "amin"])


class PartialCuts(Detective):
    """Names what cuts one of the ways from the loss to a tensor whose gradient is wrong."""

    def findings(self) -> Iterable[Finding]:
        """One finding for each cut."""
        error = self.session.error
        if self.session.is_explained:
            return  # people cut ways on purpose
        if error is None:
            pairs, weight = list(self.shown()), 2
        elif is_authors(self.session):
            pairs, weight = list(self.asserted()), 3
        else:
            return
        names: dict[tuple[str, Place | None], list[str]] = {}
        for tensor, ran in pairs:
            found = partial_cut(ran.roots, earlier(tensor._made)) or self.number(tensor, ran)
            if found is not None:
                known = names.setdefault(found, [])
                name = self.session.name_of(tensor) or "a tensor"
                known += [] if name in known else [name]
        for (kind, place), of in names.items():
            yield finding(kind, place, of, weight)
        if error is not None and not names:
            yield from self.suspected()

    def number(self, tensor: Any, ran: PassRecord) -> tuple[str, Place | None] | None:
        """Numbers that left torch on one of the ways."""
        exits = [exit for exit in self.session.record.exits if exit.number < ran.at]
        if not reaches(ran.roots, earlier(tensor._made)):
            return None
        found = round_trip(reversed(exits), ran.roots, earlier(tensor._made))
        return None if found is None else (found.kind, found.place)

    def leaves(self) -> Iterator[tuple[Any, PassRecord]]:
        """The leaves that passes reached, and the last pass that did."""
        for leaf in self.session.watch.seen.leaves.values():
            tensor = leaf.ref()
            for one in reversed(self.session.record.passes):
                if tensor is not None and tensor._made is not None and id(tensor) in one.leaves:
                    yield tensor, one
                    break

    def asserted(self) -> Iterator[tuple[Any, PassRecord]]:
        """The tensors whose gradients a failed assertion was about."""
        behind = [(f.place.file, lines_behind(f.place)) for f in self.session.frames()]

        def is_behind(place: Place | None) -> bool:
            return place is not None and any(
                place.file == file and place.line in lines for file, lines in behind
            )

        read = self.session.watch.seen.read
        for tensor, ran in self.leaves():
            if any(map(is_behind, read.get(id(tensor), ()))) and tensor._grad is not None:
                yield tensor, ran
        for (place, _), leaf in self.session.watch.zeros.returned.items():
            passes = [one for one in self.session.record.passes if one.place == place]
            tensor = leaf.ref()
            if passes and is_behind(place) and tensor is not None and tensor._made is not None:
                yield tensor, passes[-1]

    def shown(self) -> Iterator[tuple[Any, PassRecord]]:
        """The tensors whose gradients were printed beside other values said to be right."""
        files = {one.place.file for one in self.session.record.passes if one.place is not None}
        for file in sorted(files):
            for tensor, value in gradients_beside_values(file, self.session.names):
                if differ(tensor._grad, value):
                    yield from ((one, ran) for one, ran in self.leaves() if one is tensor)

    def suspected(self) -> Iterator[Finding]:
        """What an assertion about something else may have failed of."""
        for tensor, ran in self.leaves():
            found = partial_cut(ran.roots, earlier(tensor._made))
            if found is not None:
                name = self.session.name_of(tensor) or "a tensor"
                yield finding(*found, [name], 1, False)
                return


def finding(
    kind: str, place: Place | None, names: list[str], weight: int, certain: bool = True
) -> Finding:
    """The finding for a cut."""
    if kind == "copied-not-linked":
        says = (
            f"the numbers of {spoken(names)} are copied here, once: the copy does not follow, and "
            "no gradient leads through it; use the tensor itself"
        )
        return Finding(kind, says, place, certain=certain, weight=weight)
    says = (
        f"{CUTS[kind]} here cuts one of the ways from the loss to {spoken(names)}, so a part of "
        "the gradient is missing: keep the history of this value, too"
    )
    return Finding(kind, says, place, certain=certain, weight=weight)


def partial_cut(roots: tuple[Made, ...], targets: set[Made]) -> tuple[str, Place | None] | None:
    """The first cut on a way from roots to targets, where another way leads there."""
    if not reaches(roots, targets):
        return None
    way = sorted(leading(roots, targets), key=lambda made: made.number)
    for made in way:
        if is_copy(made, targets):
            return "copied-not-linked", made.place
        parent = next((p for p in made.parents if p.recorded), None) if made.is_cut else None
        if (
            parent is None
            or is_copied(made, way)
            or not targets & ancestors([parent])
            or parent.name in EXTREMES
        ):
            continue
        cut = Cut(made, parent)
        kind = kind_of(cut)
        if (
            kind in CUTS
            and made.name != "sample"
            and made.name not in EXTREMES
            and not is_straight_through(cut, way)
        ):
            return kind, line_of(cut, kind)
    return None


def is_copy(made: Made, targets: set[Made]) -> bool:
    """Whether a leaf got its values from a target: `nn.Parameter(w * 0.5)`, `load_state_dict`."""
    if made in targets or made.name not in COPIES:
        return False
    copied = made.parents if made.name in ("Parameter", "__deepcopy__") else made.parents[1:]
    return any(parent.live for parent in copied) and bool(targets & ancestors(copied))


def is_copied(made: Made, way: list[Made]) -> bool:
    """Whether what was cut off goes into a copy: `load_state_dict(net.state_dict())`."""
    return any(one.name in COPIES and made in one.parents[1:] for one in way)


def earlier(made: Made) -> set[Made]:
    """What a leaf was before writes in place, those of single elements included."""
    found, oldest = selves(made), birth(made)
    while oldest.name == "__setitem__" and oldest.parents:
        found |= selves(oldest.parents[0])
        oldest = birth(oldest.parents[0])
    return found


def is_straight_through(cut: Cut, way: list[Made]) -> bool:
    """Whether this is `x + (f(x) - x).detach()`."""
    if cut.parent.name != "sub":
        return False
    users = [made for made in way if cut.made in made.parents]
    return any(set(user.parents) & set(cut.parent.parents) for user in users)


def differ(grad: Any, value: Any) -> bool:
    """Whether a gradient is plainly another one than the value beside it."""
    if grad is None or grad._array.shape != value._array.shape:
        return False
    one, other = grad._array.astype(np.float64), value._array.astype(np.float64)
    return not np.allclose(one, other, rtol=1e-2, atol=1e-2 * abs(other).max(initial=0))
