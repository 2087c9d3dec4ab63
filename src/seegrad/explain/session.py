"""One watched run of a program: who observed it, and what they found."""

from collections.abc import Iterable
from types import TracebackType
from typing import Any

from seegrad.explain.bad.first import FirstBadError
from seegrad.explain.record import Record
from seegrad.explain.report import Finding, Report
from seegrad.explain.source.frames import Frame, frames_of, named
from seegrad.explain.watching import Watch
from seegrad.graph.observed import FORGIVING, Observer, ignore, observe

__all__ = ["Detective", "Session"]

UNKNOWN = "the cause of this error was not found"
SHOWN = 3  # findings a report has at most: who names ten lines names none


class Detective(Observer):
    """Observes a run and says afterwards what was wrong with it.

    A subclass is registered by being named in `seegrad.explain.detectives.ALL`. A finding goes
    before those of later detectives, but after all certain ones if it is a suspicion.
    """

    def __init__(self, session: "Session") -> None:
        self.session = session

    def findings(self) -> Iterable[Finding]:
        """What was wrong, the weightiest first; asked when the run is over, by others too."""
        return ()


class Session:
    """A context manager around a run: `record`, the detectives, and how the run ended.

    `error`: the exception that ended it, None where it came to its end. `names`: the global
    variables of the program, by which reports speak of tensors. `forgiving`: what a detective
    raises is put into `mistakes` and ends neither the program nor the report.
    """

    def __init__(
        self,
        kinds: Iterable[type[Detective]],
        names: dict[str, Any] | None = None,
        forgiving: bool = False,
    ) -> None:
        self.forgiving = forgiving
        self.mistakes: list[Exception] = []
        self.watch = Watch(notes=False)
        self.names = {} if names is None else names
        self.error: BaseException | None = None
        self.is_explained = False  # whether a finding explains the error, while they are asked
        self.detectives = [kind(self) for kind in kinds]

    @property
    def record(self) -> Record:
        """What the run left on record."""
        return self.watch.record

    def __enter__(self) -> "Session":
        self.watch.__enter__()
        if self.forgiving:
            FORGIVING.append(self.forgives)
        for detective in self.detectives:
            observe(detective)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.error = error
        for detective in self.detectives:
            ignore(detective)
        if self.forgiving:
            FORGIVING.remove(self.forgives)
        self.watch.__exit__(kind, error, traceback)

    def forgives(self, error: Exception) -> bool:
        """Whether this is a mistake of a tool, which is kept; `first_bad()` raises on purpose."""
        if self.forgiving and not isinstance(error, FirstBadError):
            self.mistakes.append(error)
            return True
        return False

    def frames(self) -> list[Frame]:
        """The user's frames of the error that ended the run, the innermost last."""
        return frames_of(self.error)

    def name_of(self, tensor: Any) -> str | None:
        """What the program calls a tensor: "w", "model.fc.weight"; None where nothing is found."""
        scopes = [frame.names for frame in reversed(self.frames())]
        return named(tensor, [*scopes, self.names])

    def report(self) -> Report:
        """What the detectives found, certain findings first, one a line."""
        found: dict[Any, Finding] = {}
        for detective in self.detectives:
            self.is_explained = any(one.weight == 3 for one in found.values())
            for finding in self.findings_of(detective):
                at = finding.place
                key = finding.says if at is None else (at.file, at.line)
                found.setdefault(key, finding)
        ranked = sorted(found.values(), key=lambda f: (not f.certain, -f.weight))
        # Whoever has the cause of the error at hand needs no list of everything else.
        shown = [f for f in ranked if f.weight == ranked[0].weight][:SHOWN]
        return Report(shown) if self.ended_well() else Report(shown, UNKNOWN)

    def findings_of(self, detective: Detective) -> list[Finding]:
        """What one detective found, nothing where it made a mistake that is forgiven."""
        try:
            return list(detective.findings())
        except Exception as error:
            if not self.forgives(error):
                raise
            return []

    def ended_well(self) -> bool:
        """Whether the run came to its end, or was stopped by the one who started it."""
        error = self.error
        if isinstance(error, SystemExit):
            return not error.code
        return error is None or isinstance(error, KeyboardInterrupt)
