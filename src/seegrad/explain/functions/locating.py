"""`locate`: which part of a function has the wrong derivative, a kink, or another value each time.

The calls that the function makes are heard, with copies of what they got and gave. A part that is
random gives something else in a second run, for the same arguments. A kink is where what arrives
moves evenly and what leaves does not. A wrong part is one whose own derivative, by backward, is
not that of its own differences.
"""

import ast
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from seegrad.autograd._jacobians import as_tuple
from seegrad.autograd.function import apply_generally
from seegrad.autograd.gradcheck import gradcheck
from seegrad.explain.bad.finite import is_finite
from seegrad.explain.functions.calls import Array, Call, Outcome
from seegrad.explain.functions.changes import changing
from seegrad.explain.functions.check import quiet_for
from seegrad.explain.functions.faults import Checks
from seegrad.explain.functions.slopes import Point, Unfit, slopes
from seegrad.explain.functions.source import RANDOM, FunctionSource
from seegrad.explain.places import Place, here
from seegrad.explain.quiet import OutOfTime, Quiet, streams
from seegrad.explain.record import EXITS
from seegrad.explain.report import Finding, Report
from seegrad.explain.source import text as text_of
from seegrad.explain.source.sources import called_name
from seegrad.graph.asked import Entry
from seegrad.graph.observed import Listener, Observer, unheard
from seegrad.graph.state import thread
from seegrad.graph.tensor import TensorBase, requires

__all__ = ["Part", "as_call", "heard", "locate"]

# What makes no value of its own.
_SILENT = frozenset(
    ["backward", "grad", "Module.__call__", "Module.__init__", "requires_grad_", "retain_grad"]
)


LONGEST = 1e-5  # a step; with longer ones what only curves seems to bend


class Part:
    """One call that a function made."""

    def __init__(
        self, entry: Entry, args: Any, kwargs: Any, result: Any, place: Place | None
    ) -> None:
        self.entry = entry
        self.args, self.kwargs, self.result = args, kwargs, result
        self.place = place
        self.given = [t._array.copy() for t in tensors_of(args, kwargs)]
        self.made = [o._array.copy() for o in as_tuple(result) if isinstance(o, TensorBase)]
        self.is_live = False  # whether it depends on what is examined
        self.is_inside = False  # of the `forward` of a custom Function
        self.is_cut = False  # whether it does, and nothing was recorded
        self.is_off = not thread.state.mode  # whether recording is off

    @property
    def name(self) -> str:
        """What was called."""
        if self.is_function:
            return str(self.args[0].__name__)
        name = self.entry.name
        return f".{name.removesuffix('.__get__')}" if name.endswith(".__get__") else name

    def narrows(self) -> bool:
        """Whether it makes single precision of double."""
        given = {array.dtype.str[1:] for array in self.given}
        made = {array.dtype.str[1:] for array in self.made}
        return "f8" in given and bool(made & {"f4", "f2"})

    @property
    def is_function(self) -> bool:
        """Whether this is a custom Function."""
        return self.entry.name == "apply"


class Hearing(Observer):
    """Hears the calls of one run of a function."""

    def __init__(self, inputs: list[Any]) -> None:
        self.parts: list[Part] = []
        self.live = {id(one) for one in inputs}
        self.kept: list[Any] = list(inputs)  # so that no id comes again
        self.hooked: Part | None = None
        self.exits: list[Part] = []  # where plain numbers are made of what depends on the inputs

    def listener(self, entry: Entry) -> Listener | None:
        """All but what makes nothing."""
        return None if entry.name in _SILENT else self.hear

    def hear(self, entry: Entry, args: Any, kwargs: Any, result: Any) -> None:
        """Keeps a call, and what depends on the inputs."""
        if entry.name == "__setitem__":
            result = args[0]
        outs = [one for one in as_tuple(result) if isinstance(one, TensorBase)]
        if entry.name == "register_hook" and id(args[0]) in self.live:
            self.hooked = Part(entry, args, kwargs, result, here(3))
        if entry.name in EXITS and id(args[0]) in self.live and not is_inside_forward():
            self.exits.append(Part(entry, args, kwargs, result, here(3)))
        if not outs or is_inside_forward():
            if outs:  # only to see what is random
                self.parts.append(Part(entry, args, kwargs, result, here(3)))
                self.parts[-1].is_inside = True
            return
        part = Part(entry, args, kwargs, result, here(3))
        part.is_live = any(id(t) in self.live for t in tensors_of(args, kwargs))
        if part.is_live:
            self.live |= {id(one) for one in outs}
            part.is_cut = not any(requires(one) for one in outs)
        self.kept += outs
        self.parts.append(part)


def is_inside_forward() -> bool:
    """Whether the `forward` of a custom Function runs."""
    frame: Any = sys._getframe(2)
    while frame is not None:
        code = frame.f_code
        if code is apply_generally.__code__ or code.co_filename.startswith("<seegrad Function a"):
            return True
        frame = frame.f_back
    return False


def tensors_of(args: Any, kwargs: Any) -> list[Any]:
    """The tensors among arguments, also in lists."""
    found = []
    for value in (*args, *kwargs.values()):
        for one in value if isinstance(value, (list, tuple)) else (value,):
            if isinstance(one, TensorBase):
                found.append(one)
    return found


def heard(function: Callable[..., Any], inputs: tuple[Any, ...]) -> Hearing:
    """The calls of one run."""
    live = [one for one in inputs if isinstance(one, TensorBase) and requires(one)]
    hearing = Hearing(live)
    with unheard(hearing):
        function(*inputs)
    return hearing


def locate(function: Callable[..., Any], inputs: Any, *, eps: float = 1e-6) -> Report:
    """Finds the part of a function for which gradcheck fails: an operator or a custom Function.

    Args:
        function: takes the inputs, returns a tensor or a tuple of tensors.
        inputs: a tensor or a tuple of arguments, as for gradcheck.
        eps: how far inputs are moved.

    Returns: a Report with the part that is random, has a kink at this point, or whose own
    derivative is wrong, and its line; empty where every part is right.

    Raises: TypeError for what is no function, ValueError where no input requires a gradient; what
    `function` raises.

    >>> import seegrad as torch
    >>> from seegrad import explain
    >>> x = torch.tensor([1.0, 0.0], dtype=torch.float64, requires_grad=True)
    >>> [finding.kind for finding in explain.locate(lambda x: (2 * x).abs().sum(), x)]
    ['gradcheck-kink']
    """
    if not callable(function):
        raise TypeError(f"locate needs a function, not {function!r}")
    arguments = as_tuple(inputs)
    if not any(isinstance(one, TensorBase) and requires(one) for one in arguments):
        raise ValueError("locate needs an input tensor that requires a gradient")
    with Quiet([function]) as quiet:
        for search in (random_part, kinked_part, wrong_part):
            found = search(function, arguments, eps, quiet)
            if found is not None:
                return Report([found])
    return Report([], "every part has the derivative that its differences have")


def random_part(
    function: Callable[..., Any], inputs: tuple[Any, ...], eps: float, quiet: Quiet
) -> Finding | None:
    """The first call that gives something else in a second run."""
    first, second = heard(function, inputs).parts, heard(function, inputs).parts
    for number, (one, two) in enumerate(zip(first, second, strict=False)):
        if equal(one.given, two.given) and not equal(one.made, two.made):
            around = next((p for p in first[number:] if p.is_function and not p.is_inside), None)
            if around is not None and (one.is_inside or one is around):
                found = stateful(around, one, lambda: heard(function, inputs))
                if found is not None:
                    return found
            name, place = one.name, one.place
            if numbers_of(one) != numbers_of(two):
                name, place = drawn_before(one) or (name, place)
            return Finding(
                "gradcheck-noise",
                f"{name} gives other values each time it is called, so differences of the "
                "function are noise; seed it inside the function, or switch it off (eval())",
                place,
            )
    return None


def numbers_of(part: Part) -> list[Any]:
    """The arguments that are plain numbers."""
    return [one for one in (*part.args, *part.kwargs.values()) if isinstance(one, (int, float))]


def drawn_before(part: Part) -> tuple[str, Place] | None:
    """The call that draws a number which a part gets, where its function shows one."""
    if part.place is None:
        return None
    calls = [n for n in ast.walk(text_of.scope(part.place)) if isinstance(n, ast.Call)]
    drawn = [n for n in calls if n.lineno <= part.place.line and RANDOM.search(called_name(n))]
    if not drawn:
        return None
    last = max(drawn, key=lambda node: node.lineno)
    return called_name(last), Place(part.place.code, last.lineno)


def stateful(part: Part, noisy: Part, run: Callable[[], object]) -> Finding | None:
    """A custom Function that is not random, and gives something else each time.

    `noisy`: the first call in it that does.
    """
    cls = part.args[0]
    source = FunctionSource(cls)
    before = streams()
    node = None
    for one in source.saving:
        node = changing(one, run)
        if node is not None:
            break
    if streams() != before or any(one.call_of(RANDOM) for one in source.saving):
        return None
    name = "something outside of it" if node is None else ast.unparse(node)
    place = noisy.place if noisy is not part else source.forward.place()
    return Finding(
        "function-global-state",
        f"{cls.__name__}: forward depends on {name}, which each call changes: the same input "
        "gives other values each time; pass it as an argument",
        place if node is None else one.place(node),
        (f"{part.name} is called at {part.place}.",),
    )


def kinked_part(
    function: Callable[..., Any], inputs: tuple[Any, ...], eps: float, quiet: Quiet
) -> Finding | None:
    """The first call that is not smooth while what it gets moves evenly."""
    middle = heard(function, inputs).parts
    eps = min(eps, LONGEST)
    for number, tensor in enumerate(inputs):
        if not isinstance(tensor, TensorBase) or not requires(tensor):
            continue
        if tensor._array.dtype.kind != "f" or tensor._array.dtype.itemsize < 8:
            continue
        flat = tensor._array.reshape(-1)
        for position in range(min(flat.size, 400)):
            quiet.check()
            below, above = (moved(function, inputs, flat, position, s * eps) for s in (-1, 1))
            found = first_kink(middle, below, above, eps)
            if found is not None:
                where = [int(i) for i in np.unravel_index(position, tensor._array.shape)]
                return Finding(
                    "gradcheck-kink",
                    f"{found.name} has a kink at this very point, where no derivative exists; "
                    "check the function at another point",
                    found.place,
                    (f"The slopes from both sides differ for element {where} of input {number}.",),
                )
    return None


def moved(
    function: Callable[..., Any], inputs: tuple[Any, ...], flat: Array, position: int, step: float
) -> list[Part]:
    """The calls of a run with one element of an input moved."""
    before = flat[position].copy()
    flat[position] = before + step
    try:
        return heard(function, inputs).parts
    finally:
        flat[position] = before


def first_kink(
    middle: list[Part], below: list[Part], above: list[Part], eps: float
) -> Part | None:
    """The first call that bends."""
    if not len(middle) == len(below) == len(above):
        return None
    for m, b, a in zip(middle, below, above, strict=True):
        if m.entry is not b.entry or m.entry is not a.entry:
            return None
        if any(narrow(x) and not equal([x], [y]) for x, y in zip(b.given, a.given, strict=False)):
            continue  # it moves in the steps that single precision has
        if bends(m.made, b.made, a.made, eps) and not bends(m.given, b.given, a.given, eps):
            return m
    return None


def narrow(array: Array) -> bool:
    """Whether an array is floating, and not of double precision."""
    return bool(array.dtype.kind == "f" and array.dtype.itemsize < 8)


def bends(middle: list[Array], below: list[Array], above: list[Array], eps: float) -> bool:
    """Whether the slopes from both sides differ plainly, for some element."""
    for m, b, a in zip(middle, below, above, strict=False):
        if m.dtype.str[1:] != "f8" or not m.shape == b.shape == a.shape or not m.size:
            continue
        with np.errstate(all="ignore"):
            right, left = (a - m) / eps, (m - b) / eps
            size = np.maximum(abs(right), abs(left))
            blur = 1e-14 * abs(m) / eps + 1e-4 * max(1.0, float(abs(m).max()))
            bad = abs(right - left) > 0.05 * size + blur
        if bad.any():
            return True
    return False


def wrong_part(
    function: Callable[..., Any], inputs: tuple[Any, ...], eps: float, quiet: Quiet
) -> Finding | None:
    """The call whose own derivative is wrong: custom Functions first, then what cuts."""
    hearing = heard(function, inputs)
    live = [part for part in hearing.parts if part.is_live]
    count = sum(part.is_function for part in live)
    for part in sorted(live, key=lambda part: (not part.is_function, part.is_cut)):
        quiet.check()
        if part.is_function:
            found = wrong_function(part)
            if found is not None:
                others = f"It is one of {len(live)} calls, {count} of them custom Functions."
                return Finding("gradcheck-wrong-part", found.says, found.place, (others,))
            continue
        if is_wrong(part, quiet):
            return Finding("gradcheck-wrong-part", said_of(part), part.place)
    return wrong_whole(function, inputs, hearing)


def said_of(part: Part) -> str:
    """What is wrong with an operator's part."""
    if not part.is_cut:
        return f"the derivative of {part.name} is wrong"
    cuts = f"{part.name} cuts the graph"
    if part.is_off:
        cuts = f"{part.name} is calculated under no_grad, which cuts the graph"
    return f"{cuts}: the result depends on what goes in, and no gradient comes back"


def wrong_whole(
    function: Callable[..., Any], inputs: tuple[Any, ...], hearing: Hearing
) -> Finding | None:
    """What is between the parts where each of them is right: numbers that left, hooks."""
    given = [one for one in inputs if isinstance(one, TensorBase) and requires(one)]
    if any(narrow(one._array) for one in given):
        return None  # differences in single precision say nothing
    try:
        if gradcheck(function, inputs, raise_exception=False):
            return None
    except Exception:  # it cannot be checked
        return None
    bad = next((part for part in hearing.parts if not all(map(is_finite, part.made))), None)
    if bad is not None:
        says = f"{bad.name} is not finite at this point, so there is no derivative; check another"
        return Finding("nan-forward", says, bad.place)
    if hearing.exits:
        left = hearing.exits[0]
        says = (
            f"{left.name.strip('_')}() makes a plain number of what depends on the input: no "
            "gradient comes back through it"
        )
        return Finding("gradcheck-wrong-part", says, left.place)
    if hearing.hooked is not None:
        says = (
            "a hook stands on a tensor inside of the function, and what it returns becomes the "
            "gradient"
        )
        return Finding("gradcheck-wrong-part", says, hearing.hooked.place, certain=False)
    code = getattr(function, "__code__", None)
    return Finding(
        "gradcheck-wrong-part",
        "each part has the right derivative, and the whole has not: something between the parts "
        "leaves the graph, or changes what they saved",
        None if code is None else Place(code, code.co_firstlineno),
        certain=False,
    )


def wrong_function(part: Part) -> Finding | None:
    """What is wrong with a custom Function, examined at what it got here."""
    cls = part.args[0]
    call = Call(cls, part.args[1:], part.kwargs)
    arrays = iter(part.given)
    call.arrays = [None if array is None else next(arrays) for array in call.arrays]
    if not any(call.needs):
        return None
    with quiet_for(cls) as quiet:
        found = Checks(call, quiet).faults()
        return next((one for one in found if "second derivatives" not in one.says), None)


def as_call(function: Callable[..., Any], args: Any, kwargs: Any, given: list[Array]) -> Call:
    """A call of any function as if it were one of a Function, its tensors in one row."""
    flat = tensors_of(args, kwargs)

    class Called:
        """Has the `apply` of a Function."""

        _separate = False
        forward = staticmethod(function)

        @staticmethod
        def apply(*values: Any) -> Any:
            found = iter(values)

            def placed(value: Any) -> Any:
                if isinstance(value, TensorBase):
                    return next(found)
                if isinstance(value, (list, tuple)) and any(
                    isinstance(one, TensorBase) for one in value
                ):
                    return type(value)([placed(one) for one in value])
                return value

            return function(
                *[placed(value) for value in args],
                **{name: placed(value) for name, value in kwargs.items()},
            )

    call = Call(Called, tuple(flat), {})
    call.arrays = list(given)
    call.needs = [array.dtype.kind in "fc" for array in given]
    return call


def is_wrong(part: Part, quiet: Quiet) -> bool:
    """Whether the derivative of an operator is not that of its differences."""
    try:
        call = as_call(part.entry.original, part.args, part.kwargs, part.given)
        if part.is_cut:
            return any(depends(call, place, quiet) for place in call.needed)
        point = Point(call, call.values(True), quiet, True)
        return any(point.is_wrong(place) for place in call.needed)
    except (Unfit, OutOfTime):
        return False
    except Exception:  # it cannot be called again so
        return False


def depends(call: Call, place: int, quiet: Quiet) -> bool:
    """Whether the floating results of a call that records nothing depend on an argument."""

    def values_of(values: list[Array | None]) -> Array:
        quiet.check()
        rows = [o._array.reshape(-1) for o in Outcome(call, values).all]
        return np.concatenate([row for row in rows if row.dtype.kind in "fc"] or [np.zeros(0)])

    rows = slopes(values_of, call.values(True), place, True)
    return bool(rows.along.size and abs(rows.along[rows.smooth]).max(initial=0) > 1e-6)


def equal(one: list[Array], other: list[Array]) -> bool:
    """Whether two lists of arrays are equal."""
    return len(one) == len(other) and all(
        a.shape == b.shape and np.array_equal(a, b, equal_nan=a.dtype.kind in "fc")
        for a, b in zip(one, other, strict=True)
    )
