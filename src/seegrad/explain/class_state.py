"""A detective for custom Functions that keep what their backward needs on the class."""

import dis
import weakref
from collections.abc import Iterable
from types import CodeType
from typing import Any

import numpy as np

from seegrad.explain.hidden import weighed
from seegrad.explain.places import Place, here
from seegrad.explain.report import Finding
from seegrad.explain.session import Detective, Session
from seegrad.graph.asked import Entry
from seegrad.graph.backward import Pass
from seegrad.graph.node import Node
from seegrad.graph.observed import Listener
from seegrad.graph.tensor import TensorBase

__all__ = ["ClassState"]


class ClassState(Detective):
    """Finds attributes of a Function's class that a later call overwrote too early.

    After each `apply` the attributes that `forward` sets and `backward` reads are noted with the
    node that was made; when the node is about to run they have to be the same still.
    """

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        # The names that forward sets on the class and backward reads.
        self.names: dict[type, tuple[str, ...]] = {}
        # By the node's id: the node, and what its forward left on the class.
        self.left: dict[int, tuple[Any, dict[str, Any]]] = {}
        self.found: dict[tuple[type, str], Finding] = {}

    def listener(self, entry: Entry) -> Listener | None:
        """Hears of calls of custom Functions."""
        return self.applied if entry.name == "apply" else None

    def applied(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """Notes what the call left on the class."""
        cls = args[0]
        names = self.names.get(cls)
        if names is None:
            names = self.names[cls] = state_of(cls)
        if not names:
            return
        first = result[0] if isinstance(result, tuple) and result else result
        node = first._node if isinstance(first, TensorBase) else None
        if node is not None:
            if len(self.left) > 4096:
                self.left = {key: one for key, one in self.left.items() if one[0]()}
            values = {name: kept(getattr(cls, name, None)) for name in names}
            self.left[id(node)] = (weakref.ref(node), values)

    def began(self, current: Pass) -> bool:
        """Compares what is on the class with what the nodes that will run had left there."""
        for node in current.order if self.left else ():
            reference, values = self.left.get(id(node), (None, {}))
            if reference is None or reference() is not node:
                continue
            cls = getattr(node, "_forward_cls", None)
            for name, value in values.items():
                if not is_equal(value, kept(getattr(cls, name, None))):
                    self.report(node, name)
        return False

    def report(self, node: Node, name: str) -> None:
        """Keeps what was found, once for each attribute."""
        cls: type = node._forward_cls  # type: ignore[attr-defined]
        place = place_of_state(cls, name)
        says = (
            f"{cls.__name__} keeps `{name}` on the class, where the next call overwrites it "
            "before the backward of this one has read it: keep it on ctx"
        )
        called = getattr(node._made, "place", None)
        evidence = [] if called is None else [f"called at {called}: `{called.text}`"]
        ran = here(1)
        evidence += [] if ran is None else [f"its backward ran at {ran}, after another call"]
        finding = Finding("state-on-class", says, place, tuple(evidence), weight=2)
        self.found.setdefault((cls, name), finding)

    def findings(self) -> Iterable[Finding]:
        """The lines of `forward` that set what is overwritten."""
        return weighed(self.found.values(), self.session)


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


def state_of(cls: Any) -> tuple[str, ...]:
    """The attributes that `forward` sets, or sets parts of, and `backward` reads."""
    forward, backward = code_of(cls, "forward"), code_of(cls, "backward")
    setup = code_of(cls, "setup_context")
    stored = {*stores(forward), *stores(setup)}
    read = read_by(backward)
    return tuple(sorted(name for name in stored if name in read and hasattr(cls, name)))


def code_of(cls: Any, name: str) -> CodeType | None:
    """The code of one of the class's functions, None where it is no plain one."""
    function = getattr(cls, name, None)
    function = getattr(function, "__func__", function)
    code: CodeType | None = getattr(function, "__code__", None)
    return code


def read_by(code: CodeType | None) -> set[str]:
    """The attributes that a function reads."""
    instructions = dis.get_instructions(code) if code is not None else ()
    return {one.argval for one in instructions if one.opname == "LOAD_ATTR"}


def stores(code: CodeType | None) -> dict[str, int]:
    """The attributes that a function sets, or whose items it sets, with the line of each.

    What it reads before is no such: a counter goes on, and is meant to.
    """
    found: dict[str, int] = {}
    read: dict[str, int] = {}
    last = ""
    for one in dis.get_instructions(code) if code is not None else ():
        line = (one.positions.lineno if one.positions else None) or 0
        if one.opname == "LOAD_ATTR":
            read.setdefault(one.argval, line)
            last = one.argval
        elif one.opname == "STORE_ATTR" and one.argval not in read:
            found.setdefault(one.argval, line)
        elif one.opname == "STORE_SUBSCR" and read.get(last) == line:
            found.setdefault(last, line)
    return found


def place_of_state(cls: Any, name: str) -> Place | None:
    """The line that sets an attribute of the class."""
    for part in ("forward", "setup_context"):
        code = code_of(cls, part)
        line = stores(code).get(name)
        if code is not None and line is not None:
            return Place(code, line)
    return None
