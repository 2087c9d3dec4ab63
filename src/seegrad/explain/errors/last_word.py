"""What is left to say of an error that no rule explains: the reason in its own note, with a line.

The graph says in a note why it raised (`cuts.told`); so a report never ends with less than that.
"""

import re
from collections.abc import Iterable
from typing import Any

from seegrad.explain.errors.detective import chain
from seegrad.explain.gradients.causes import made_at
from seegrad.explain.gradients.chains import MODES, ancestors, kind_of_word
from seegrad.explain.places import Place
from seegrad.explain.record import Made, made_of
from seegrad.explain.report import Finding
from seegrad.explain.session import Detective
from seegrad.explain.source.frames import frames_of
from seegrad.graph.asked import values_of
from seegrad.graph.cuts import reason
from seegrad.graph.tensor import TensorBase, requires

__all__ = ["LastWord"]

NO_HISTORY = ("does not require grad and does not have a grad_fn", "does not require grad")
UNNAMED = "cut-no-derivative"
NO_DERIVATIVE = re.compile(r"derivative for '?(?:aten::)?_*(\w+)'? is not implemented")


class LastWord(Detective):
    """Speaks where the library raised the error that ended the run and nobody explained it."""

    def findings(self) -> Iterable[Finding]:
        """The reason that the error itself gives."""
        if self.session.is_explained:
            return
        for error in chain(self.session.error):
            found = self.of_cut(error) or without_derivative(error) or own_note(error)
            if found is not None:
                yield found
                return

    def of_cut(self, error: BaseException) -> Finding | None:
        """The error of a tensor without history: why it has none, and the line."""
        if not isinstance(error, RuntimeError) or not str(error).endswith(NO_HISTORY):
            return None
        for _, args, known, _ in reversed(self.session.record.failures):
            tensors = [one for one in values_of(args, {}) if isinstance(one, TensorBase)]
            without = [one for one in tensors if not requires(one)]
            if known is error and without:
                tensor = getattr(error, "facts", {}).get("input", without[0])
                kind, place = cut_of(tensor)
                name = self.session.name_of(tensor) or "the tensor"
                says = f"{name} has no history: {reason(tensor)}"
                return Finding(kind, says, place or line_of(error), weight=3)
        return None


def cut_of(tensor: Any) -> tuple[str, Place | None]:
    """The kind of what cut a tensor off, as the graph knows it, and the line."""
    made, word = made_of(tensor), tensor._cut
    if word is None:
        return "requires-grad-never-set", made_at(made)
    cuts = [one for one in ancestors([made]) if is_cut(one)]
    last: Made | None = max(cuts, key=lambda one: one.number, default=None)
    undone = last.undone if last is not None else None
    if word == "no_grad" and undone is not None:
        return MODES.get(undone[0], "cut-no-grad"), undone[1] or made.place
    return kind_of_word(word) or UNNAMED, last.place if last is not None else made_at(made)


def is_cut(made: Made) -> bool:
    """Whether an argument had a history here, and the result has none."""
    return made.is_cut and any(parent.recorded for parent in made.parents)


def without_derivative(error: BaseException) -> Finding | None:
    """A backward got to a function that has no derivative: "for aten::floor_divide"."""
    said = NO_DERIVATIVE.fullmatch(str(error))
    if said is None:
        return None
    name = said[1]
    kind = kind_of_word(name) or UNNAMED
    says = f"{name} has no derivative, so backward cannot go through it: use another function"
    return Finding(kind, says, forward_line(error) or line_of(error), weight=3)


def forward_line(error: BaseException) -> Place | None:
    """The line that made the node in which a pass ended."""
    traceback = error.__traceback__
    found: Place | None = None
    while traceback is not None:
        made = getattr(traceback.tb_frame.f_locals.get("node"), "_made", None)
        found = made.place if isinstance(made, Made) else found
        traceback = traceback.tb_next
    return found


def own_note(error: BaseException) -> Finding | None:
    """What the library itself noted on an error of its own."""
    notes = getattr(error, "__notes__", None)
    kind = getattr(error, "facts", {}).get("kind")
    if not notes or kind is None:
        return None
    return Finding(kind, f"{str(error).partition('.')[0]}: {notes[0]}", line_of(error), weight=3)


def line_of(error: BaseException) -> Place | None:
    """The innermost line of the program that an error went through."""
    frames = frames_of(error)
    return frames[-1].place if frames else None
