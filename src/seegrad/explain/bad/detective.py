"""The detective for NaN and infinities: silent where they did no harm."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from seegrad.explain.bad.cancelled import LARGE, WRONG
from seegrad.explain.bad.finite import is_finite
from seegrad.explain.bad.values import Bad, plain_name
from seegrad.explain.bad.verdict import (
    forward_finding,
    pass_finding,
    quotient_finding,
    too_long,
    vanished_finding,
    variance_finding,
)
from seegrad.explain.bad.watch import BadWatch
from seegrad.explain.record import Made, ancestors
from seegrad.explain.report import Finding
from seegrad.explain.session import Detective, Session
from seegrad.explain.source.frames import Frame
from seegrad.graph.tensor import TensorBase

__all__ = ["BadDetective"]

VANISHING = frozenset(["rsqrt", "reciprocal", "div"])  # an infinity
LONG = 0.5  # a learning rate
ROOTED = frozenset(["sqrt", "rsqrt", "log"])
WORDS = re.compile(
    r"\b(nan|inf|infinite|(non-?)?finite)\b|between 0 and 1|constraint", re.IGNORECASE
)


class BadDetective(BadWatch, Detective):
    """Finds where the first NaN or infinity was born that did harm."""

    replays = True

    def __init__(self, session: Session) -> None:
        Detective.__init__(self, session)
        BadWatch.__init__(self, session.record)

    def findings(self) -> Iterable[Finding]:
        """At most one: all that follows is a consequence."""
        for finding in self.bad_ones():
            yield replace(finding, weight=self.weight())
            return
        for finding in self.finite_ones():
            failed = isinstance(self.session.error, AssertionError)
            yield replace(finding, weight=3 if failed else finding.weight)
            return

    def bad_ones(self) -> Iterator[Finding]:
        """The bad values that did harm, the earliest first."""
        for event in self.passes:
            if not self.handled(event):
                yield pass_finding(self, event)
        if self.poisoned is not None:
            found = Finding("step-too-long", "a step made a parameter infinite", self.poisoned[1])
            yield too_long(self, None, found) or found
        for bad in self.looked_at():
            yield forward_finding(bad, self)

    def finite_ones(self) -> Iterator[Finding]:
        """What goes wrong with numbers before one of them is bad."""
        failed = isinstance(self.session.error, AssertionError)
        for bad in self.overflowed() if failed or self.session.error is None else ():
            yield replace(forward_finding(bad, self), weight=2)
        surely = self.is_far_off() or any(
            loss.is_explosion(1e6) or (loss.is_rising() and self.is_growing())
            for loss in self.losses.values()
        )
        failed = isinstance(self.session.error, AssertionError)
        if surely or (failed and any(loss.is_explosion() for loss in self.losses.values())):
            grown = too_long(self, None, None)
            if grown is not None:
                yield replace(grown, certain=surely)
        for made, units in self.variances:
            if failed and self.is_seen(made):
                yield variance_finding(made, units)
            elif self.session.error is None and units > 0.5 and self.is_large(made):
                yield replace(variance_finding(made, units), certain=True, weight=2)
        for made, difference in self.quotients:
            if failed and (self.is_seen(made) or self.is_of_loss(made)):
                yield quotient_finding(difference)

        for lost in self.vanished:
            if lost.repeated and not self.is_rooted(lost.made):
                continue
            if failed and (self.is_seen(lost.made) or self.is_of_loss(lost.made)):
                yield vanished_finding(lost)
            elif self.session.error is None and lost.mostly and self.is_shown_alone(lost.made):
                yield replace(vanished_finding(lost), weight=2)

    def is_large(self, made: Made) -> bool:
        """Whether rounding alone makes a variance this large, and it was shown."""
        _, rounding, units = self.lost.get(made.number, (None, 0.0, 0.0))
        return units < WRONG and rounding > LARGE and self.is_shown_alone(made)

    def is_rooted(self, made: Made) -> bool:
        """Whether a root or a logarithm was taken of it, which nobody takes of what is left."""
        above = [one for shown in self.all_shown() for one in factors(shown)]
        return any(made in ancestors(one, 2) for one in above if plain_name(one.name) in ROOTED)

    def is_growing(self) -> bool:
        """Whether a parameter grew beyond all that is learned."""
        return any(norm.is_explosion() for norm in self.norms.values())

    def is_far_off(self) -> bool:
        """Whether a loss never came back from the first step of a rate that nobody wants."""
        far = any(loss.is_far() for loss in self.losses.values())
        return far and any(rate >= LONG for rate in self.rates)

    def overflowed(self) -> Iterator[Bad]:
        """Numbers that were too large for half precision, and of which 0 was made."""
        used = {m for one in self.record.passes for root in one.roots for m in ancestors(root, 40)}
        for event in self.events.values():
            masked = event.masked
            if masked is not None and masked in used and plain_name(masked.name) in VANISHING:
                if any(b.birth and b.birth.cause == "overflow-half" for b in event.births()):
                    yield event

    def is_shown_alone(self, made: Made) -> bool:
        """Whether a difference that never was right is all that a number shown consists of."""
        if self.calls.get(made.number) in self.right:
            return False
        return any(made in factors(shown) for shown in self.all_shown())

    def all_shown(self) -> list[Made]:
        """What left the world of tensors, or was printed."""
        return [*(shown.made for shown in self.record.exits), *self.looked]

    def is_seen(self, made: Made) -> bool:
        """Whether the program looked at a number made of a difference, or compared it."""
        frames = self.session.frames()
        named = re.findall(r"\w+", frames[-1].place.text) if frames else []
        values = [frames[-1].names.get(name) for name in named]
        compared = [value._made for value in values if isinstance(value, TensorBase)]
        looked_at = self.all_shown() + [m for m in compared if m]
        return any(made in ancestors(one, 8) for one in looked_at)

    def is_of_loss(self, made: Made) -> bool:
        """Whether a loss was calculated from it, whose gradients the program looked at."""
        return any(made in ancestors(root, 8) for one in self.record.passes for root in one.roots)

    def looked_at(self) -> Iterator[Bad]:
        """Bad values that ended the program, or that it showed last and did not mend."""
        if self.session.error is not None:
            if self.failure is not None and self.failure[0] is self.session.error:
                yield self.failure[1]
            if self.tested is not None and isinstance(self.session.error, AssertionError):
                yield self.tested
        for bad, count in self.shown.values():
            went_on = self.last_good > count
            learns = any(made.recorded for made in ancestors(bad.made, 3))
            if self.session.error is not None or (learns and not went_on and is_calculated(bad)):
                yield bad

    def weight(self) -> int:
        """How much a bad value explains of how the program ended."""
        error = self.session.error
        if error is None:
            return 2 if self.shown else 1
        frames = self.session.frames()
        if WORDS.search(str(error)) or (frames and in_sight(frames[-1])):
            return 3
        if isinstance(error, AssertionError) and (self.tested is not None or self.shown):
            return 3
        return 1


def factors(made: Made) -> list[Made]:
    """What a number was made from without anything being added to it, the nearest first."""
    found, level = [made], [made]
    for _ in range(10):
        level = [
            p for one in level if len(one.parents) == 1 or is_product(one) for p in one.parents
        ]
        found += level
    return found


def is_product(made: Made) -> bool:
    """Whether a call multiplies."""
    return plain_name(made.name) in ("mul", "div")


def is_calculated(bad: Bad) -> bool:
    """Whether a bad value is not only one that the program wrote down."""
    return any(b.birth and b.birth.cause not in ("data", "given") for b in bad.births())


def in_sight(frame: Frame) -> bool:
    """Whether a variable of the line that failed is bad."""
    return any(is_bad(value) for value in frame.names.values())


def is_bad(value: Any) -> bool:
    """Whether a number or a tensor is not finite."""
    if isinstance(value, float):
        return value != value or value in (float("inf"), -float("inf"))
    return isinstance(value, TensorBase) and not is_finite(value._array)
