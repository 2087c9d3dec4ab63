"""What a rule gets wrong ends neither the program that it looks at nor the other rules."""

from collections.abc import Iterable
from typing import Any

import pytest

import seegrad as torch
from seegrad import explain
from seegrad.explain.report import Finding
from seegrad.explain.session import Detective, Session
from seegrad.graph.asked import Entry
from seegrad.graph.observed import FORGIVING, Listener, Observer, ignore, observe


class Wrong(Detective):
    """Raises at everything that it is told, and at the end."""

    def listener(self, entry: Entry) -> Listener | None:
        return self.raises if entry.name == "exp" else None

    def failed(self, *told: Any) -> None:
        raise LookupError("failed")

    def began(self, current: Any) -> bool:
        return True

    def before(self, *told: Any) -> None:
        raise LookupError("before")

    def after(self, *told: Any) -> None:
        raise LookupError("after")

    def ended(self, current: Any) -> None:
        raise LookupError("ended")

    def findings(self) -> Iterable[Finding]:
        raise LookupError("findings")

    def raises(self, *told: Any) -> None:
        raise LookupError("listener")


class Right(Detective):
    def findings(self) -> Iterable[Finding]:
        return [Finding("found", "this was found")]


def test_the_program_runs_to_its_end_and_others_report() -> None:
    x = torch.ones(2, requires_grad=True)
    with Session([Wrong, Right], forgiving=True) as session:
        x.exp().sum().backward()
        with pytest.raises(RuntimeError, match="must match"):
            torch.ones(2) + torch.ones(3)
    torch.testing.assert_close(x.grad, torch.ones(2).exp())
    assert str(session.report()) == "this was found"
    told = {str(mistake) for mistake in session.mistakes}
    assert told == {"listener", "before", "after", "ended", "failed", "findings"}
    assert FORGIVING == []


def test_otherwise_they_are_raised() -> None:
    session = Session([Wrong])
    with session, pytest.raises(LookupError, match="listener"):
        torch.ones(1).exp()
    with pytest.raises(LookupError, match="findings"):
        session.report()
    assert session.mistakes == []


def test_what_a_tool_raises_on_purpose_is_raised() -> None:
    with Session([], forgiving=True), pytest.raises(explain.FirstBadError), explain.first_bad():
        torch.zeros(1, requires_grad=True).log().sum().backward()


def test_an_interruption_goes_through() -> None:
    class Interrupted(Observer):
        def listener(self, entry: Entry) -> Listener | None:
            return self.stop

        def stop(self, *told: Any) -> None:
            raise KeyboardInterrupt

    observer = Interrupted()
    with Session([], forgiving=True):
        observe(observer)
        try:
            with pytest.raises(KeyboardInterrupt):
                torch.ones(1).exp()
        finally:
            ignore(observer)
