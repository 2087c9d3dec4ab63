"""Finds why gradcheck failed: float32, a random part, a kink, steps, or one wrong part of many."""

import inspect
from collections.abc import Iterable
from typing import Any

from seegrad.autograd import _gradcheck_texts as texts
from seegrad.autograd._jacobians import as_tuple
from seegrad.autograd.function import Function
from seegrad.autograd.gradcheck import GradcheckError, gradcheck
from seegrad.explain.functions.locating import as_call, heard, locate, wrong_function
from seegrad.explain.functions.slopes import Point
from seegrad.explain.places import Place, here
from seegrad.explain.quiet import Quiet
from seegrad.explain.record import made_of
from seegrad.explain.report import Finding
from seegrad.explain.session import Detective
from seegrad.explain.source.expected import callers, is_expected
from seegrad.explain.source.statements import lines_behind
from seegrad.graph.asked import Entry
from seegrad.graph.observed import Listener
from seegrad.graph.tensor import TensorBase, requires

__all__ = ["GradcheckDetective"]

_CHECKS = ("gradcheck", "gradgradcheck")
_MISMATCH = texts.MISMATCH.partition(" for output")[0].removeprefix("{}")
SECONDS = 4.0


class GradcheckDetective(Detective):
    """Looks at a failed gradcheck at once, while everything is as it was."""

    def __init__(self, session: Any) -> None:
        super().__init__(session)
        self.found: list[tuple[Finding, list[Place]]] = []
        # Failures that the program seems to want: from where, and of which Functions.
        self.wanted: list[tuple[list[Place], set[Any]]] = []

    def listener(self, entry: Entry) -> Listener | None:
        """Hears of gradchecks that return."""
        return self.returned if entry.name in _CHECKS else None

    def returned(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """A gradcheck that returned False failed as well."""
        if result is False:
            self.examine(entry, args, kwargs, None)

    def failed(self, entry: Entry, args: Any, kwargs: Any, error: BaseException) -> None:
        """A gradcheck that failed."""
        if entry.name in _CHECKS and isinstance(error, GradcheckError):
            self.examine(entry, args, kwargs, error)

    def is_wanted(self, places: list[Place]) -> bool:
        """Whether the program went on after a failure that it waited for."""
        ends = [(frame.place.file, lines_behind(frame.place)) for frame in self.session.frames()]
        ended = any(
            one.file == file and one.line in lines for one in places for file, lines in ends
        )
        return not ended and any(places is wanted for wanted, _ in self.wanted)

    def right_to_fail(self) -> set[Any]:
        """The Functions that the program knows to be wrong."""
        return {
            function
            for places, functions in self.wanted
            if self.is_wanted(places)
            for function in functions
        }

    def examine(self, entry: Entry, args: Any, kwargs: Any, error: BaseException | None) -> None:
        """Why it failed, where that can be told."""
        if len(self.found) > 3:
            return
        given = inspect.signature(gradcheck).bind_partial(*args[:2], **{
            name: value for name, value in kwargs.items() if name in ("func", "inputs", "eps")
        }).arguments  # fmt: skip
        place, places = here(4), callers(4)
        if is_expected(places, error is not None):
            self.wanted.append((places, functions_of(given["func"], as_tuple(given["inputs"]))))
        try:
            found = cause(
                given["func"],
                as_tuple(given["inputs"]),
                given.get("eps", 1e-6),
                place,
                error is None or _MISMATCH in str(error),
                entry.name == "gradcheck",
            )
        except Exception:  # the function does not bear to be called again
            return
        if found is not None:
            self.found.append((found, places))

    def findings(self) -> Iterable[Finding]:
        """What was found at once."""
        for found in [one for one, places in self.found if not self.is_wanted(places)]:
            weight = 3 if self.session.error is not None else 2
            yield Finding(
                found.kind, found.says, found.place, found.evidence, found.certain, weight
            )


def functions_of(function: Any, inputs: tuple[Any, ...]) -> set[Any]:
    """The custom Functions that a function applies."""
    try:
        return {part.args[0] for part in heard(function, inputs).parts if part.is_function}
    except Exception:  # it does not bear to be called again
        return set()


def cause(
    function: Any,
    inputs: tuple[Any, ...],
    eps: float,
    place: Place | None,
    is_mismatch: bool,
    is_first: bool,
) -> Finding | None:
    """Why a gradcheck failed; None where one custom Function alone is to blame, or nothing is."""
    alone = isinstance(getattr(function, "__self__", None), type) and issubclass(
        function.__self__, Function
    )
    with Quiet([function], SECONDS) as quiet:
        parts = heard(function, inputs).parts
        functions = [part for part in parts if part.is_function and part.is_live]
        wrong = [found for part in functions if (found := wrong_function(part)) is not None]
        if wrong and (alone or (len(functions) == 1 and len(parts) < 4)):
            return None  # the Function's own fault says more
        found = next(iter(locate(function, inputs, eps=eps)), None)
        changes = found is not None and found.kind in ("gradcheck-noise", "function-global-state")
        if found is not None and (changes or not is_first):
            return found if changes else None
        if found is None or found.kind == "gradcheck-wrong-part":
            cast = next((part for part in parts if part.is_live and part.narrows()), None)
            if cast is not None and not wrong:
                return float32(f"what {cast.name} gives", cast.place)
        narrow = narrow_input(inputs) if not wrong else None
        if narrow is not None and is_mismatch:
            name = "the input of gradcheck"
            made = made_of(narrow)
            if made.name == "requires_grad_" and made.parents and made.parents[0].place:
                made = made.parents[0]
            return float32(name, place, made.place)
        if found is not None:
            return found
        if is_mismatch and is_first and is_right(function, inputs, quiet):
            return Finding(
                "gradcheck-noise",
                f"steps of {eps:g} do not suit this function: with others the derivative is "
                "right; leave eps, atol and rtol as they are",
                place,
            )
    return None


def narrow_input(inputs: tuple[Any, ...]) -> Any:
    """The first input that is examined and not of double precision."""
    for one in inputs:
        if isinstance(one, TensorBase) and requires(one) and one._array.dtype.str[1:] != "f8":
            if one._array.dtype.str[1:] != "c16":
                return one
    return None


def float32(name: str, place: Place | None, made: Place | None = None) -> Finding:
    """Differences that are mostly rounding; `made`: where an input was made."""
    return Finding(
        "gradcheck-float32",
        f"{name} is not of double precision, too coarse for gradcheck's small steps; make it "
        "float64 (dtype=torch.double)",
        place,
        () if made is None else (f"It was made in {made}.",),
    )


def is_right(function: Any, inputs: tuple[Any, ...], quiet: Quiet) -> bool:
    """Whether the derivative is right with steps of our own."""
    arrays = [one._array for one in inputs if isinstance(one, TensorBase)]
    call = as_call(function, inputs, {}, arrays)
    needs = [requires(one) for one in inputs if isinstance(one, TensorBase)]
    call.needs = needs
    point = Point(call, call.values(), quiet, True)
    return not any(point.is_wrong(one) for one in call.needed)
