"""`first_bad()`: where the first NaN or infinity is born, and whether it is masked later."""

from types import TracebackType

from seegrad.explain.bad.values import Bad
from seegrad.explain.bad.verdict import forward_finding, pass_finding
from seegrad.explain.bad.watch import BadPass, BadWatch
from seegrad.explain.record import Record
from seegrad.explain.report import Finding, Report
from seegrad.explain.watching import current_record
from seegrad.graph.observed import ignore, observe

__all__ = ["FirstBad", "FirstBadError", "first_bad"]


class FirstBadError(RuntimeError):
    """A loss or a gradient became NaN or infinite; `finding` says where that began."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(str(finding))
        self.finding = finding


class FirstBad(BadWatch):
    """A context manager that finds the first NaN or infinity that does harm."""

    def __init__(self, raises: bool) -> None:
        self.raises = raises
        self.mine = current_record() is None
        super().__init__(current_record() or Record())

    def __enter__(self) -> "FirstBad":
        if self.mine:
            observe(self.record)
        observe(self)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        ignore(self)
        if self.mine:
            ignore(self.record)
        finding = self.finding
        if finding is None or isinstance(error, FirstBadError):
            return
        if error is not None:
            error.add_note(f"explain: {finding}")
        elif self.raises:
            raise FirstBadError(finding)

    def harmed(self, event: BadPass) -> None:
        """A pass was bad: raises."""
        super().harmed(event)
        if self.raises:
            raise FirstBadError(pass_finding(self, event))

    @property
    def finding(self) -> Finding | None:
        """What was found, None where every value was finite or masked."""
        if self.passes:
            return pass_finding(self, self.passes[0])
        for bad in self.unmasked():
            return forward_finding(bad, self)
        return None

    def unmasked(self) -> list[Bad]:
        """Bad results of calculations that nothing finite was made of, and nothing else."""
        events = list(self.events.values())
        used = {source.made.number for event in events for source in event.sources}
        ends = [e for e in events if e.masked is None and e.made.number not in used]
        return [e for e in ends if e.nan or any(is_calculated(b) for b in e.births())]

    def report(self) -> Report:
        """The finding as a report, empty where there is none."""
        finding = self.finding
        return Report([] if finding is None else [finding], "every value is finite, or masked")

    def __str__(self) -> str:
        return str(self.report())


def is_calculated(bad: Bad) -> bool:
    """Whether a bad value was not written down by the program."""
    return bad.birth is not None and bad.birth.cause not in ("given", "data", "found")


def first_bad(raises: bool = True) -> FirstBad:
    """A context manager that finds where the first NaN or infinity was born.

    Raises FirstBadError when a backward pass begins with a bad loss or ends with a bad gradient,
    and at the end where a bad value was calculated that nothing masked; with `raises=False`
    nothing is raised, and `finding` and `report()` tell. The finding names the operator, the
    line, the element, the values there, the local derivative, what masked it, and the cure. An
    error that ends the block gets it as a note. Raises TypeError unless `raises` is a bool.

    >>> import seegrad as torch
    >>> from seegrad import explain
    >>> x = torch.tensor([4.0, 0.0], requires_grad=True)
    >>> with explain.first_bad(raises=False) as found:
    ...     torch.where(x > 0, torch.sqrt(x), 0.0).sum().backward()
    >>> found.finding.kind
    'nan-backward'
    >>> found.finding.says.partition(",")[0]
    'where hides what sqrt gives'
    """
    if not isinstance(raises, bool):
        raise TypeError(f"raises is True or False, not {type(raises).__name__}")
    return FirstBad(raises)
