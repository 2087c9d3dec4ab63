"""Parameters that a failed assertion speaks of: one that is frozen, one that is read in parts."""

from collections.abc import Iterable, Iterator
from typing import Any

from seegrad.explain.gradients.chains import ancestors, leading, selves
from seegrad.explain.gradients.gradientless import is_authors
from seegrad.explain.gradients.wordings import sentence
from seegrad.explain.gradients.zeros import PART_CALLS
from seegrad.explain.places import Place
from seegrad.explain.record import Made
from seegrad.explain.report import Finding
from seegrad.explain.session import Detective, Session
from seegrad.explain.source.statements import lines_behind, loads, statement_at
from seegrad.graph.tensor import TensorBase, requires

__all__ = ["AssertedParameters", "read_in_assertion"]


class AssertedParameters(Detective):
    """Says why what an assertion says of a parameter does not hold, where that is plain."""

    def findings(self) -> Iterable[Finding]:
        """What is frozen, then what is read in parts."""
        if self.session.error is not None and is_authors(self.session):
            yield from self.frozen()
            if not self.session.is_explained:
                yield from self.read_in_parts()

    def frozen(self) -> Iterator[Finding]:
        """Tensors that the assertion names, which an optimizer holds and the program froze."""
        seen = self.session.watch.seen
        held = {id(p) for one in seen.optimizers if one.steps for p in one.params}
        for frame in self.session.frames():
            statement = statement_at(frame.place.file, frame.place.line)
            for name in sorted(loads(statement)) if statement is not None else ():
                tensor = frame.names.get(name)
                if not isinstance(tensor, TensorBase) or id(tensor) not in held:
                    continue
                flag = seen.flag_of(tensor)
                if flag is not None and not flag[1] and not requires(tensor):
                    called = self.session.name_of(tensor) or name
                    yield Finding("frozen", sentence("frozen", [called]), flag[0], weight=3)

    def read_in_parts(self) -> Iterator[Finding]:
        """Tensors of whose gradient, which the assertion read, whole rows are zero."""
        for tensor in read_in_assertion(self.session):
            empty = has_empty_rows(tensor._grad)
            last = (self.last_part(tensor) or self.one_row(tensor)) if empty else None
            if last is not None:
                name = self.session.name_of(tensor) or "the tensor"
                says = (
                    f"only a part of {name} is read, here and before, and the gradient of the "
                    "rest is 0: read all of it"
                )
                yield Finding("zero-unused-state", says, last, weight=3)

    def one_row(self, tensor: Any) -> Place | None:
        """The line on the way to the loss that takes one of as many rows: `out[-1]` of a batch."""
        passes = [one for one in self.session.record.passes if id(tensor) in one.leaves]
        way = leading(passes[-1].roots, selves(tensor._made)) if passes else set[Made]()
        rows = tensor._array.shape[:1]
        found = [
            made
            for made in way
            if made.name in PART_CALLS
            and made.parents[0].shape[:1] == rows
            and (made.shape[:1] != rows or len(made.shape) < len(made.parents[0].shape))
        ]
        return found[0].place if len(found) == 1 else None

    def last_part(self, tensor: Any) -> Place | None:
        """The last line that reads a part of a tensor that is read nowhere as a whole."""
        same = selves(tensor._made)
        passes = [one for one in self.session.record.passes if id(tensor) in one.leaves]
        found = ancestors(passes[-1].roots) if passes else set[Made]()
        users = [made for made in found if same & set(made.parents) and made not in same]
        if not users or any(made.name not in PART_CALLS for made in users):
            return None
        return max(users, key=lambda made: made.number).place


def read_in_assertion(session: Session) -> Iterator[Any]:
    """The leaves whose gradients were read on the lines from which a failed assertion comes."""
    behind = [(frame.place.file, lines_behind(frame.place)) for frame in session.frames()]
    seen = session.watch.seen
    for leaf in seen.leaves.values():
        tensor: Any = leaf.ref()
        if tensor is not None and any(
            place.file == file and place.line in lines
            for place in seen.read.get(id(tensor), ())
            for file, lines in behind
        ):
            yield tensor


def has_empty_rows(grad: Any) -> bool:
    """Whether some rows of a gradient are exactly zero, and others are not."""
    if grad is None or grad._array.ndim == 0:
        return False
    array = grad._array
    rows = array.reshape(array.shape[0], -1).any(axis=1)
    return bool(rows.any() and not rows.all())
