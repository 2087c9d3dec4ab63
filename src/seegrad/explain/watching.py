"""`watch()`: from here on the lines of the program are noted."""

from types import TracebackType

from seegrad.explain.errors.notes import Notes
from seegrad.explain.flows.hops import Hops
from seegrad.explain.gradients.sightings import Sightings
from seegrad.explain.gradients.zeros import Zeros
from seegrad.explain.record import Record
from seegrad.graph.observed import Observer, ignore, observe

__all__ = ["Watch", "current_record", "current_watch", "watch"]

_watches: list["Watch"] = []


class Watch:
    """A context manager under which tensors know the lines that made, cut and wrote them.

    `notes`: whether errors of the graph get notes that name the lines behind them.
    """

    def __init__(self, notes: bool = True) -> None:
        self.record = Record()
        self.seen = Sightings(self.record)
        self.zeros = Zeros(self.record)
        self.hops = Hops()
        self.observers: list[Observer] = [self.record, self.seen, self.zeros, self.hops]
        if notes:
            self.observers.append(Notes(self.record))

    def __enter__(self) -> "Watch":
        _watches.append(self)
        for observer in self.observers:
            observe(observer)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for observer in self.observers:
            ignore(observer)
        _watches.remove(self)


def watch() -> Watch:
    """A context manager that notes which line of the program makes, cuts and writes what.

    Errors of the graph then say in a note which line wrote, freed or cut. Operators take about
    twice as long meanwhile. Watches may be nested; each has its own record.

    >>> import seegrad as torch
    >>> from seegrad import explain
    >>> with explain.watch() as watched:
    ...     loss = torch.ones(1, requires_grad=True).sum()
    ...     loss.backward()
    >>> len(watched.record.passes)
    1
    """
    return Watch()


def current_watch() -> Watch | None:
    """The innermost watch, None outside of one."""
    return _watches[-1] if _watches else None


def current_record() -> Record | None:
    """The record of the innermost watch, None outside of one."""
    return _watches[-1].record if _watches else None
