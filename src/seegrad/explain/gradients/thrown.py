"""A gradient that was put away before a later backward could add to it, and is missing there."""

from collections.abc import Iterable

from seegrad.explain.gradients.asserted import read_in_assertion
from seegrad.explain.gradients.chains import selves
from seegrad.explain.gradients.gradientless import is_authors
from seegrad.explain.gradients.zeros import is_zero
from seegrad.explain.optimizers.ledger import books_of
from seegrad.explain.places import Place
from seegrad.explain.record import is_write
from seegrad.explain.report import Finding
from seegrad.explain.session import Detective

__all__ = ["ThrownAway"]


class ThrownAway(Detective):
    """Finds gradients reset between two passes, where a failed assertion is about their sum."""

    def findings(self) -> Iterable[Finding]:
        """Only what nobody else explains: people compute one gradient after another, too."""
        if self.session.error is None or self.session.is_explained:
            return
        if not is_authors(self.session):
            return
        books = books_of(self.session)
        names: dict[Place | None, list[str]] = {}
        for tensor in read_in_assertion(self.session):
            leaf, same = books.leaves.get(id(tensor)), selves(tensor._made)
            if (
                leaf is None
                or tensor._grad is None
                or is_zero(tensor._grad)
                or leaf.ref() is not tensor
            ):
                continue
            first = self.session.watch.seen.leaves[id(tensor)].first_at
            if any(is_write(one.name) and one.number > first for one in same):
                continue  # changed by hand between the passes
            for place, last in leaf.thrown.items():
                if leaf.last > last:
                    names.setdefault(place, []).append(self.session.name_of(tensor) or "a tensor")
        for place, of in names.items():
            says = (
                f"the gradient that a backward left at {of[0]} is put away here, before the next "
                "one could add to it: reset gradients once, before the first of them"
            )
            yield Finding("reset-by-zero-grad", says, place, weight=3)
