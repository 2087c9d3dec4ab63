"""A gradient that was kept by its name, and that `zero_grad(set_to_none=False)` set to zero."""

from collections.abc import Iterable, Iterator
from typing import Any

from seegrad.explain.gradients.gradientless import is_authors
from seegrad.explain.gradients.zeros import is_zero
from seegrad.explain.places import Place
from seegrad.explain.report import Finding
from seegrad.explain.session import Detective
from seegrad.explain.source.sources import tree_of
from seegrad.explain.source.statements import Use, lines_behind, loads, statement_at, use_of
from seegrad.graph.tensor import TensorBase

__all__ = ["KeptGradients"]

OFTEN = 3  # the same gradient in a list: nobody means that


class KeptGradients(Detective):
    """Finds variables and lists that hold the very tensor that `.grad` is, and was set to zero."""

    def findings(self) -> Iterable[Finding]:
        """One finding for each line that set it to zero."""
        error = self.session.error
        if error is not None and not is_authors(self.session):
            return
        lines: dict[Place | None, str] = {}
        for name, tensors in self.variables() if error is None else self.asserted():
            for one in {id(t): t for t in tensors}.values():
                zeroed = self.session.watch.seen.zeroed.get(id(one))
                if zeroed is None or zeroed.grad() is not one:
                    continue
                often = sum(other is one for other in tensors) >= OFTEN
                if often or (error is not None and zeroed.is_last() and is_zero(one)):
                    lines.setdefault(zeroed.place, name)
        for place, name in lines.items():
            says = (
                f"{name} keeps the very tensor that .grad is, and its values are set to zero in "
                "place here: keep a clone()"
            )
            yield Finding("reset-by-zero-grad", says, place, weight=2 if error is None else 3)
        yield from self.read_too_late()

    def read_too_late(self) -> Iterator[Finding]:
        """Lines that only ever read zeros, which were written right before."""
        failed, lines = self.session.error is not None, self.session.watch.seen.found
        if not failed and any(
            one.others and use_of(p, "grad") == Use.SHOWN for p, one in lines.items()
        ):
            return  # zeros beside gradients: to show the difference
        for place, found in lines.items():
            if found.others or found.zeros < (1 if failed else OFTEN):
                continue
            use = use_of(place, "grad")
            if use == Use.TESTED or (not failed and use != Use.SHOWN):
                continue
            tensor = found.ref()
            name = (tensor is not None and self.session.name_of(tensor)) or "the tensor"
            says = (
                f"the gradient of {name} is set to zero here, right before it is read at {place}: "
                "read it before"
            )
            yield Finding("reset-by-zero-grad", says, found.where, weight=3 if failed else 2)

    def variables(self) -> Iterator[tuple[str, list[Any]]]:
        """The variables of the program that hold tensors, the innermost frame's first."""
        scopes = [*(frame.names for frame in reversed(self.session.frames())), self.session.names]
        for scope in scopes:
            for name, value in list(scope.items()):
                tensors = list(tensors_in(value))
                if tensors:
                    yield name, tensors

    def asserted(self) -> Iterator[tuple[str, list[Any]]]:
        """Those that a failed assertion depends on."""
        read: set[str] = set()
        for frame in self.session.frames():
            file = frame.place.file
            for line in lines_behind(frame.place) if tree_of(file) is not None else ():
                statement = statement_at(file, line)
                read |= loads(statement) if statement is not None else set()
        return ((name, tensors) for name, tensors in self.variables() if name in read)


def tensors_in(value: Any, depth: int = 2) -> Iterator[Any]:
    """The tensors of a variable, also of lists and dictionaries in it."""
    if isinstance(value, TensorBase):
        yield value
    elif depth and isinstance(value, (list, tuple, dict)):
        for one in list(value.values() if isinstance(value, dict) else value)[:1000]:
            yield from tensors_in(one, depth - 1)
