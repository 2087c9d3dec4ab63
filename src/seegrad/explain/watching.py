"""`watch()`: from here on the lines of the program are noted."""

from types import TracebackType

from seegrad.explain.record import Record
from seegrad.graph.observed import ignore, observe

__all__ = ["Watch", "current_record", "watch"]

_records: list[Record] = []


class Watch:
    """A context manager under which tensors know the lines that made, cut and wrote them."""

    def __init__(self) -> None:
        self.record = Record()

    def __enter__(self) -> "Watch":
        _records.append(self.record)
        observe(self.record)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        ignore(self.record)
        _records.remove(self.record)


def watch() -> Watch:
    """A context manager that notes which line of the program makes, cuts and writes what.

    Operators take about twice as long meanwhile. Watches may be nested; each has its own record.

    >>> import seegrad as torch
    >>> from seegrad import explain
    >>> with explain.watch() as watched:
    ...     loss = torch.ones(1, requires_grad=True).sum()
    ...     loss.backward()
    >>> len(watched.record.passes)
    1
    """
    return Watch()


def current_record() -> Record | None:
    """The record of the innermost watch, None outside of one."""
    return _records[-1] if _records else None
