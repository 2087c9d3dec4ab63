"""A detective for custom Functions that keep what their backward needs outside of their ctx."""

import ast
import contextlib
import weakref
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from seegrad.explain.functions.calls import context_of
from seegrad.explain.functions.errors import is_about
from seegrad.explain.functions.source import FunctionSource
from seegrad.explain.places import Place, here
from seegrad.explain.quiet import outer_names
from seegrad.explain.report import Finding
from seegrad.explain.session import Detective, Session
from seegrad.graph.asked import Entry
from seegrad.graph.backward import Pass
from seegrad.graph.node import Node
from seegrad.graph.observed import Listener
from seegrad.graph.tensor import TensorBase

__all__ = ["ClassState"]


class ClassState(Detective):
    """Finds state of a Function, on its class or elsewhere, that a later call overwrote too early.

    After each `apply` what `forward` sets and `backward` reads is noted with the node that was
    made; when the node is about to run it has to be the same still.
    """

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.states: dict[type, State] = {}
        # By the node's id: the node, and what its forward left.
        self.left: dict[int, tuple[Any, dict[str, Any]]] = {}
        self.found: dict[tuple[type, str], Finding] = {}

    def listener(self, entry: Entry) -> Listener | None:
        """Hears of calls of custom Functions."""
        return self.applied if entry.name == "apply" else None

    def applied(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """Notes what the call left behind."""
        cls = args[0]
        state = self.states.get(cls)
        if state is None:
            state = self.states[cls] = State(cls)
        if not state.codes:
            return
        node = context_of(result if isinstance(result, tuple) else (result,), cls)
        if node is not None:
            if len(self.left) > 4096:
                self.left = {key: one for key, one in self.left.items() if one[0]()}
            self.left[id(node)] = (weakref.ref(node), state.now())

    def began(self, current: Pass) -> bool:
        """Compares what is there with what the nodes that will run had left."""
        now: dict[type, dict[str, Any]] = {}
        for node in current.order if self.left else ():
            reference, values = self.left.get(id(node), (None, {}))
            if reference is None or reference() is not node:
                continue
            cls: type = node._forward_cls
            if cls not in now:
                now[cls] = self.states[cls].now()
            for text, value in values.items():
                if text in now[cls] and not is_equal(value, now[cls][text]):
                    self.report(node, text)
        return False

    def report(self, node: Node, text: str) -> None:
        """Keeps what was found, once for each thing."""
        cls: type = node._forward_cls  # type: ignore[attr-defined]
        state = self.states[cls]
        on_class = state.is_on_class(text)
        name = text.rpartition(".")[2] if on_class else text
        says = (
            f"{cls.__name__} keeps `{name}` {'on the class' if on_class else 'outside of ctx'}, "
            "where the next call overwrites it before the backward of this one has read it: keep "
            "it on ctx"
        )
        called = getattr(node._made, "place", None)
        evidence = [] if called is None else [f"called at {called}: `{called.text}`"]
        ran = here(1)
        evidence += [] if ran is None else [f"its backward ran at {ran}, after another call"]
        kind = "state-on-class" if on_class else "function-global-state"
        finding = Finding(kind, says, state.places[text], tuple(evidence), weight=2)
        self.found.setdefault((cls, text), finding)

    def findings(self) -> Iterable[Finding]:
        """The lines of `forward` that set what is overwritten."""
        for (cls, _), found in self.found.items():
            yield replace(found, weight=3) if self.is_why(cls) else found

    def is_why(self, cls: type) -> bool:
        """Whether the run ended with a wrong number, or in the backward of this Function."""
        error = self.session.error
        if error is None or isinstance(error, AssertionError) or is_about(error, cls):
            return error is not None
        code = self.states[cls].backward.code
        return any(frame.place.code is code for frame in self.session.frames())


def kept(value: Any) -> Any:
    """What is compared later: a copy of numbers, also of those in a dictionary or a list."""
    if isinstance(value, TensorBase):
        return value._array.copy()
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, dict):
        return {key: kept(one) for key, one in value.items()}
    return value


def is_equal(value: Any, other: Any) -> bool:
    """Whether nothing that a backward could read has changed."""
    if isinstance(value, np.ndarray) and isinstance(other, np.ndarray):
        same: bool = value.shape == other.shape and bool(
            ((value == other) | ((value != value) & (other != other))).all()
        )
        return same
    if isinstance(value, dict) and isinstance(other, dict):
        # What other calls put there beside it is no harm.
        return all(key in other and is_equal(one, other[key]) for key, one in value.items())
    if isinstance(value, (bool, int, float, complex, str, tuple)):
        return bool(value == other)
    return value is other or isinstance(value, (list, set))


class State:
    """What `forward` sets outside of its ctx and `backward` reads, as text: `Flat.shape`."""

    def __init__(self, cls: Any) -> None:
        source = FunctionSource(cls)
        self.backward = source.backward
        read = list(source.backward.chains())
        self.places: dict[str, Place | None] = {}
        for one in source.saving:
            # What it reads itself before is meant to go on, as a counter is.
            before: dict[str, int] = {}
            for node, text in one.outer_reads():
                before.setdefault(text, node.lineno)
            for text, statement in (one.sets() | one.item_sets()).items():
                goes_on = before.get(text, statement.lineno + 1) <= statement.lineno
                counts = goes_on or isinstance(statement, ast.AugAssign)
                if not counts and any(is_part(other, text) for other in read):
                    self.places.setdefault(text, one.place(statement))
        self.codes = {text: compile(text, "<state>", "eval") for text in self.places}

    def now(self) -> dict[str, Any]:
        """What is there now."""
        scope = self.scope if self.codes else {}
        found = {}
        for text, code in self.codes.items():
            with contextlib.suppress(Exception):
                found[text] = kept(eval(code, {"__builtins__": {}}, scope))
        return found

    @property
    def scope(self) -> dict[str, Any]:
        """What `backward` finds under names that are not local."""
        return outer_names(self.backward.function) | self.backward.own

    def is_on_class(self, text: str) -> bool:
        """Whether it is an attribute of a class."""
        return isinstance(self.scope.get(text.partition(".")[0]), type)


def is_part(text: str, of: str) -> bool:
    """Whether `Flat.shape[0]` is `Flat.shape`, or a part of it."""
    return text == of or text.startswith((f"{of}.", f"{of}["))
