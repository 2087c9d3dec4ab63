"""Finds faults of the custom Functions that a program applies.

While the program runs, the first calls of each Function are remembered, with copies of their
tensors; and what may change between forward and backward is compared. At the end the calls are
made once more under probes (`Checks`), unnoticed, for a limited time.
"""

import time
import weakref
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from seegrad.autograd.function import BackwardCFunction
from seegrad.autograd.gradcheck import GradcheckError
from seegrad.explain.functions.calls import Call, context_of
from seegrad.explain.functions.changes import Outside, kept_tensors
from seegrad.explain.functions.check import quiet_for
from seegrad.explain.functions.containers import containers, held
from seegrad.explain.functions.errors import VIEW_WRITTEN, is_about, of_error
from seegrad.explain.functions.faults import Checks
from seegrad.explain.functions.gradcheck import GradcheckDetective
from seegrad.explain.functions.source import FunctionSource
from seegrad.explain.places import here
from seegrad.explain.record import Made, ancestors, is_write, made_of
from seegrad.explain.report import Finding
from seegrad.explain.session import Detective
from seegrad.explain.source.frames import frames_of
from seegrad.graph.asked import Entry
from seegrad.graph.backward import Pass
from seegrad.graph.observed import Listener
from seegrad.graph.tensor import TensorBase, requires
from seegrad.tensor.conversion import NO_NUMPY

__all__ = ["FunctionDetective"]

CALLS = 3  # remembered of one Function
MISSED = 64  # tensors whose gradient was asked for in vain
LARGEST = 1 << 18  # elements of a call that is remembered
SECONDS = 4.0  # for all probes

# What nobody needs to know unless the program differentiates twice.
SECOND = frozenset(["function-left-graph", "function-saved-intermediate", "function-kept-on-ctx"])

# Parts of the errors to which a fault leads.
BY_KIND = {
    "function-aliased-output": ("modified by an inplace operation",),
    "function-changed-input": (
        "modified by an inplace operation",
        "a leaf Variable",
    ),
    "function-left-graph": ("does not require grad", "not have been used in the graph"),
    "function-kept-on-ctx": ("does not require grad", "not have been used in the graph"),
    "function-saved-intermediate": ("does not require grad", "not have been used in the graph"),
}


class Applied:
    """What is known of one Function of the program."""

    def __init__(self, cls: Any) -> None:
        self.cls = cls
        self.source = FunctionSource(cls)
        self.outside = Outside(self.source)
        self.calls: dict[Any, Call] = {}
        self.count = 0
        self.ran = False  # whether a pass ran it
        self.twice = False  # whether a pass under create_graph ran it
        # Tensors that need no gradient: position and a reference, by id; and whose .grad was read.
        self.plain: dict[int, tuple[int, Any]] = {}
        self.asked: set[int] = set()
        # By position: what the tensors that need a gradient were; and those whose gradient was
        # looked for in vain.
        self.wanting: dict[int, Made] = {}
        self.missed: list[Made] = []
        self.cycles: dict[str, int] = {}  # attributes of ctx that hold an output: how often
        self.seen: list[Finding] = []  # while the program ran

    def without_gradient(self) -> list[int]:
        """The positions of what was made from a tensor whose gradient was read and not there."""
        places = self.wanting.items() if self.missed else ()
        return [p for p, made in places if any(one in self.missed for one in ancestors(made, 6))]


class FunctionDetective(Detective):
    """Probes the custom Functions of a program when it is over."""

    def __init__(self, session: Any) -> None:
        super().__init__(session)
        self.applied: dict[Any, Applied] = {}
        self.shown: dict[int, tuple[Any, Any, Any]] = {}  # outputs that show memory of inputs

    # While the program runs

    def listener(self, entry: Entry) -> Listener | None:
        """Hears of Functions, and of writes in place."""
        if entry.name == "apply":
            return self.applies
        if entry.name == "grad.__get__":
            return self.asks
        return self.writes if is_write(entry.name) or entry.name == "__setitem__" else None

    def applies(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """Remembers a call."""
        cls = args[0]
        known = self.applied.get(cls)
        if known is None:
            known = self.applied[cls] = Applied(cls)
        known.count += 1
        outs = result if isinstance(result, tuple) else (result,)
        ctx = context_of(outs, cls)
        if ctx is None:
            return
        kept = kept_tensors(ctx)
        if kept:
            ctx._kept_then = kept
            cycle = next((k.name for k in kept if any(k.tensor is out for out in outs)), None)
            if cycle is not None:
                known.cycles[cycle] = known.cycles.get(cycle, 0) + 1
        if known.outside.codes:
            ctx._outside_then = known.outside.now()
        self.note_shown(known, args[1:], outs)
        for place, arg in enumerate(args[1:]):
            if isinstance(arg, TensorBase) and requires(arg):
                known.wanting.setdefault(place, made_of(arg))
            elif isinstance(arg, TensorBase):
                if len(known.plain) >= CALLS:
                    known.plain = {
                        k: one for k, one in known.plain.items() if one[1]() is not None
                    }
                if len(known.plain) < CALLS:
                    known.plain[id(arg)] = place, weakref.ref(arg)
        if len(known.calls) < CALLS:
            call = Call(cls, args[1:], kwargs, here(3)) if small(args) else None
            if call is not None:
                known.calls.setdefault(call.signature, call)

    def asks(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """The gradient of an argument that needs none is asked for."""
        for known in self.applied.values() if result is None else ():
            place, ref = known.plain.get(id(args[0]), (-1, None))
            if ref is not None and ref() is args[0] and not requires(args[0]):
                known.asked.add(place)
            elif requires(args[0]) and len(known.missed) < MISSED and known.ran:
                known.missed.append(made_of(args[0]))

    def note_shown(self, known: Applied, args: Any, outs: Any) -> None:
        """Notes outputs that are no view to the engine, and show memory of an input."""
        for out in outs:
            if not isinstance(out, TensorBase):
                continue
            base = None if out._view is None else out._view.base
            for arg in args:
                if base is not None and is_base(base, arg):
                    continue
                if isinstance(arg, TensorBase) and arg is not out and arg._array.size:
                    if np.may_share_memory(arg._array, out._array):
                        self.shown[id(out)] = (known, out, arg)

    def writes(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """An output that shows memory of an input is written to."""
        found = self.shown.get(id(args[0])) if self.shown and args else None
        if found is None or found[1] is not args[0]:
            return
        known, _, _ = found
        forward = known.source.forward
        known.seen.append(
            Finding(
                "function-aliased-output",
                f"{known.cls.__name__}: forward returns memory of its input, and {entry.name} on "
                "the output changes the input too; return a copy",
                forward.place(forward.aliasing()),
                (f"The write is in {here(3)}.",),
            )
        )

    def failed(self, entry: Entry, args: Any, kwargs: Any, error: BaseException) -> None:
        """Remembers a call that failed."""
        if entry.name != "apply" or not small(args):
            return
        known = self.applied.setdefault(args[0], Applied(args[0]))
        try:
            call = Call(args[0], args[1:], kwargs, here(3))
        except TypeError:  # not what forward takes
            return
        known.calls.setdefault(call.signature, call)

    def began(self, current: Pass) -> bool:
        """Compares what is with what was when the Functions that run now were applied."""
        if self.applied:
            for node in current.order:
                if isinstance(node, BackwardCFunction):
                    known = self.applied.get(node._forward_cls)
                    if known is not None:
                        known.ran = True
                        known.twice = known.twice or current.recorded
                        self.compare(known, node)
        return False

    def compare(self, known: Applied, node: Any) -> None:
        """Has something changed since `forward` ran?"""
        if len(known.seen) > 8:
            return
        name = known.cls.__name__
        for kept in vars(node).get("_kept_then", ()):
            if kept.has_changed() and known.source.backward.reads_values(kept.name):
                writes = self.session.record.writes_to(kept.tensor)
                where = f" (by {writes[-1].name} in {writes[-1].place})" if writes else ""
                known.seen.append(
                    Finding(
                        "function-kept-on-ctx",
                        f"{name}: ctx.{kept.name} keeps a tensor by attribute, so nobody noticed "
                        f"that it was changed before backward used it{where}; use "
                        "ctx.save_for_backward",
                        known.source.sets_attribute(kept.name),
                    )
                )
        then = vars(node).get("_outside_then")
        for text, before, now in known.outside.changed(then) if then else ():
            backward = known.source.backward
            known.seen.append(
                Finding(
                    "function-global-state",
                    f"{name}: backward reads {text}, which has changed since forward used it; "
                    "keep the value on ctx",
                    backward.place(backward.chains().get(text)),
                    (f"It was {short(before)} and is {short(now)}.",),
                )
            )

    # When it is over

    def findings(self) -> Iterable[Finding]:
        """What is wrong with the Functions, one finding each."""
        until = time.monotonic() + SECONDS
        errors = self.errors()
        checks = [d for d in self.session.detectives if isinstance(d, GradcheckDetective)]
        wrong = {function for one in checks for function in one.right_to_fail()}
        for known in [one for one in self.applied.values() if one.cls not in wrong]:
            found = next(self.examined(known, errors, until), None)
            if found is not None:
                yield found

    def errors(self) -> list[BaseException]:
        """The errors of the library, and the one that ended the program."""
        found = [failure[2] for failure in self.session.record.failures]
        if self.session.error is not None and self.session.error not in found:
            found.append(self.session.error)
        return found

    def examined(
        self, known: Applied, errors: list[BaseException], until: float
    ) -> Iterator[Finding]:
        """What is wrong with one Function, what explains the most first."""
        calls = list(known.calls.values())
        for error in errors:
            for call in calls[:1]:
                found = self.view_written(error, known) or self.numpy_refused(error, known)
                if found is None and is_about(error, known.cls):
                    with quiet_for(known.cls, SECONDS / 2) as quiet:
                        shapes = Checks(call, quiet).shapes()
                    found = of_error(error, call, known.source, shapes)
                if found is not None:
                    yield self.weighed(found, 3 if error is self.session.error else 2)
        # Before the probes put something in.
        largest = max((held(one, 1) for one in containers(known.cls).values()), default=0)
        yield from self.filled(known)
        for call in calls:
            left = until - time.monotonic()
            if left <= 0:
                break
            with quiet_for(known.cls, min(left, SECONDS / 2)) as quiet:
                checks = Checks(call, quiet)
                for found in checks.faults():
                    if self.matters(found, known, largest):
                        yield self.weighed(found, self.weight(found))
                yield from checks.needless(known.asked)
                for found in checks.withheld(known.without_gradient()):
                    yield self.weighed(found, self.weight(found))
        for found in known.seen:
            yield self.weighed(found, self.weight(found))
        for name, times in known.cycles.items():
            if times > 1:
                yield Finding(
                    "memory-on-ctx",
                    f"{known.cls.__name__}: ctx.{name} holds an output, which holds ctx: a cycle "
                    "that keeps every call's memory; use ctx.save_for_backward",
                    known.source.sets_attribute(name),
                    (f"So did {times} calls.",),
                    weight=max(1, self.weight_of_error() - 1),
                )

    def filled(self, known: Applied) -> Iterator[Finding]:
        """A list that the program hands to `forward`, which puts tensors of every call into it."""
        for call in list(known.calls.values())[:1]:
            for place, other in enumerate(call.others):
                if not isinstance(other, (list, dict)) or known.count < CALLS:
                    continue
                name = call.argument(place)
                line = known.source.forward.keeps_in(name)
                if line is not None and held(other, 1) >= known.count:
                    yield Finding(
                        "function-holds-memory",
                        f"{known.cls.__name__}: forward puts a tensor of every call into {name}, "
                        "which nothing takes out again: its memory is never freed",
                        known.source.forward.place(line),
                        (f"After {known.count} calls it holds {held(other, 1)} tensors.",),
                        weight=2 if self.session.error is None else 1,
                    )

    def view_written(self, error: BaseException, known: Applied) -> Finding | None:
        """The error about an output that is a view of an input."""
        name = known.cls.__name__
        if not any(f" of {name}{end} {VIEW_WRITTEN}" in str(error) for end in ("", "Backward")):
            return None
        forward = known.source.forward
        return Finding(
            "function-aliased-output",
            f"{known.cls.__name__}: forward returns a view of its input, so its output cannot be "
            "changed in place; return a clone, or change the output out of place",
            forward.place(forward.aliasing()),
        )

    def numpy_refused(self, error: BaseException, known: Applied) -> Finding | None:
        """The error of `numpy()` in a backward under create_graph."""
        frames = frames_of(error) if str(error) == NO_NUMPY else []
        place = frames[-1].place if frames else None
        if place is None or place.code is not known.source.backward.code:
            return None
        return Finding(
            "function-left-graph",
            f"{known.cls.__name__}: backward leaves the graph with numpy() here, so it cannot be "
            "differentiated again: under create_graph what arrives has a history; compute with "
            "tensors, or mark backward with once_differentiable",
            place,
        )

    def matters(self, found: Finding, known: Applied, largest: int) -> bool:
        """Whether a fault touches this program; `largest`: what a container of it holds."""
        if found.kind in SECOND and "second derivatives" in found.says:
            return known.twice
        if found.kind == "function-holds-memory":
            return largest >= max(3, known.count // 2)
        return True

    def weight(self, found: Finding) -> int:
        """How much a wrong Function explains of how the program ended."""
        if any(text in str(self.session.error) for text in BY_KIND.get(found.kind, ())):
            return 3
        return self.weight_of_error()

    def weight_of_error(self) -> int:
        """How much a wrong number explains of how the program ended."""
        error = self.session.error
        if isinstance(error, (AssertionError, GradcheckError)):
            return 3
        return 2 if error is None else 1

    @staticmethod
    def weighed(found: Finding, weight: int) -> Finding:
        """The finding with a weight."""
        return Finding(found.kind, found.says, found.place, found.evidence, found.certain, weight)


def is_base(base: Any, arg: Any) -> bool:
    """Whether the engine knows that a view of `base` shows memory of `arg`."""
    view = getattr(arg, "_view", None)
    return base is arg or (view is not None and base is view.base)


def small(args: Any) -> bool:
    """Whether a call is worth remembering."""
    sizes = [a._array.size for a in args if isinstance(a, TensorBase)]
    return bool(sizes) and sum(sizes) <= LARGEST


def short(value: Any) -> str:
    """A value, abbreviated."""
    text = str(value)
    return text if len(text) <= 40 else text[:37] + "..."
