"""Classes that are asked before a function runs: those with a `__torch_function__`, and modes.

Note [Asked]: a class of tensors of its own, or any class with a `__torch_function__`, is asked
whenever a public function, a method, an operator or an attribute of tensors meets an instance of
it. Plain tensors pay nothing for that: no function looks for such instances until the first such
class is there. Then `arm` gives every public function a new `__code__`, once and for all: it looks
at the types of its arguments and asks, or calls the function as it was. The function object stays
what it is, whoever holds it; `func` is that object.

The symbols (`a * b`) are armed by the first mode only. For them an instance of such a class says
ASK (Note [Two doors]), so that the call arrives at `for_symbol`, which asks.

What is asked may call `func` again: `Tensor.__torch_function__` does, with asking switched off in
this thread, and gives the results the class. Functions and methods of one name are two objects
(`own`), as in PyTorch: programs keep tables of them. What the engine uses is never armed.
"""

import functools
import inspect
import linecache
import threading
import warnings
from collections.abc import Iterable, Iterator
from types import CellType, CodeType, FunctionType
from typing import Any

from seegrad.arrays.dtypes import dtype
from seegrad.graph import asked_names as names
from seegrad.graph.recorded import recorded
from seegrad.graph.state import thread
from seegrad.graph.tensor import TensorBase, tensor_class

__all__ = [
    "QUIET",
    "Unasked",
    "answer_of",
    "arm",
    "armed_code",
    "ask",
    "asked_among",
    "copy_of",
    "disabled",
    "found_asked",
    "is_asked",
    "is_asking",
    "keep_quiet",
    "listen",
    "nobody_knew",
    "own",
    "places",
    "put_question",
    "register",
    "switch_modes",
    "symbol",
    "tap",
    "values_of",
    "wants_to_be_asked",
]

# The types of arguments that are never asked; empty while a mode is on, which is always asked.
QUIET: set[type] = {bool, int, float, complex, str, type(None), dtype}
_quiet_types = set(QUIET)

_MULTIPLE = (
    "Multiple dispatch failed for '{}'; all __torch_function__ handlers returned NotImplemented:"
    "\n\n{}\nFor more information, try re-running with TORCH_LOGS=not_implemented"
)


class Entry:
    """One public function, as it was, and how it is spoken of."""

    __slots__ = (
        "func", "function", "is_binary", "is_symbol", "name", "original", "place", "signature",
        "style", "tell",
    )  # fmt: skip

    def __init__(
        self, func: Any, original: Any, place: str, name: str, style: str, is_binary: bool = False
    ) -> None:
        self.func = func
        self.original = original
        self.place = place
        self.name = name
        # "C", "Python", "mode" (only modes are asked), "attribute", "observed" (nobody is asked)
        self.style = style
        self.is_binary = is_binary  # NotImplemented goes back to the interpreter
        self.signature: inspect.Signature | None = None
        self.function: Any = func
        self.is_symbol = False
        self.tell: tuple[Any, ...] | None = None  # who is told of calls (Note [Observed])

    def relevant(self, args: Any, kwargs: Any) -> Iterable[Any]:
        """The arguments whose classes are asked; of an attribute the one it belongs to."""
        return args[:1] if self.style == "attribute" else values_of(args, kwargs)

    def spread(self, args: Any, kwargs: Any) -> tuple[Any, Any]:
        """The arguments as PyTorch's Python functions hand them on: what has a default by name."""
        if self.is_binary:
            return args, kwargs
        if self.signature is None:
            self.signature = inspect.signature(self.original)
        try:
            bound = self.signature.bind(*args, **kwargs)
        except TypeError:  # the function itself will say what does not fit
            return args, kwargs
        bound.apply_defaults()
        given: list[Any] = []
        named: dict[str, Any] = {}
        for parameter in self.signature.parameters.values():
            value = bound.arguments[parameter.name]
            if parameter.name == "out" and self.name in names.WITHOUT_OUT:
                continue
            if parameter.kind is parameter.VAR_POSITIONAL:
                given += value
            elif parameter.default is parameter.empty:
                given.append(value)
            else:
                named[parameter.name] = value
        return tuple(given), named


def disabled(func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
    """The `__torch_function__` of a class that is not to be asked."""
    with Unasked():
        return func(*args, **(kwargs or {}))


class Unasked:
    """Switches asking off in this thread: subclasses at level 1, modes too at level 2."""

    def __init__(self, level: int = 1) -> None:
        self.level = level

    def __enter__(self) -> None:
        self.before = thread.state.unasked
        thread.state.unasked = max(self.level, self.before)

    def __exit__(self, *_: object) -> None:
        thread.state.unasked = self.before


def is_asking() -> bool:
    """Whether this thread asks subclasses now."""
    return not thread.state.unasked


def wants_to_be_asked(cls: type) -> bool:
    """Whether a class has a `__torch_function__` that says something."""
    found = getattr(cls, "__torch_function__", None)
    return found is not None and found is not disabled and cls is not tensor_class()


def is_asked(value: Any) -> bool:
    """Whether the class of a value is asked."""
    return type(value) not in _quiet_types and wants_to_be_asked(type(value))


def values_of(args: Iterable[Any], kwargs: dict[str, Any]) -> Iterator[Any]:
    """The arguments, and the items of those that are lists."""
    for value in (*args, *kwargs.values()):
        if isinstance(value, (list, tuple)):
            yield from value
        else:
            yield value


def asked_among(values: Iterable[Any], with_plain: bool = False) -> list[Any]:
    """One value of each class to be asked, in the order of asking: derived classes first."""
    found: list[Any] = []
    for value in values:
        cls = type(value)
        wanted = is_asked(value) or (with_plain and isinstance(value, TensorBase))
        if not wanted or any(type(one) is cls for one in found):
            continue
        later = (place for place, one in enumerate(found) if issubclass(cls, type(one)))
        found.insert(next(later, len(found)), value)
    return found


def found_asked(function: Any, values: Iterable[Any]) -> bool:
    """Whether a call that failed is to be tried again: a class among `values` is to be asked.

    Only before anything is armed: `function`, which is armed by this, did not look.
    """
    if thread.state.unasked or not asked_among(values):
        return False
    arm()
    return id(function) in _armory.entries


def answer_of(entry: Entry, args: Any, kwargs: Any) -> Any:
    """What an armed function gives: an answer of those asked, or its own result."""
    if entry.style == "observed":
        return entry.original(*args, **kwargs)
    state = thread.state
    if state.unasked < 2:
        modes = state.asked_modes
        if state.unasked or (entry.style == "mode" and entry.name in names.DATA):
            asked = []
        else:
            asked = asked_among(entry.relevant(args, kwargs))
        if asked or modes:
            return ask(entry, asked, args, kwargs)
    return entry.original(*args, **kwargs)


def ask(entry: Entry, asked: list[Any], args: Any, kwargs: Any) -> Any:
    """Asks the innermost mode, then each class; the first answer counts.

    Raises TypeError where all say NotImplemented.
    """
    if entry.style == "Python":
        args, kwargs = entry.spread(args, kwargs)
    if entry.style in ("Python", "attribute"):
        among = asked_among(entry.relevant(args, kwargs), with_plain=True)
        types = tuple(type(one) for one in among)
    else:
        types = tuple(type(one) for one in asked)
    named = None if entry.style != "Python" and not kwargs else kwargs
    mode, answer = put_question(entry.func, types, asked, args, named)
    if answer is not NotImplemented or entry.is_binary:
        return answer
    if entry.style == "Python":
        place = names.PLACES.get(entry.place, entry.place)
        raise nobody_knew(f"{place}.{entry.name}", asked, mode)
    raise nobody_answered(f"{entry.place}.{entry.name}", asked, mode)


def put_question(func: Any, types: Any, asked: list[Any], args: Any, kwargs: Any) -> Any:
    """The innermost mode and the first answer that is not NotImplemented."""
    call = (func, types, args) if kwargs is None else (func, types, args, kwargs)
    modes = thread.state.asked_modes
    mode = None
    if modes and thread.state.unasked < 2:
        mode = modes.pop()
        try:
            answer = mode.__torch_function__(*call)
        finally:
            modes.append(mode)
        if answer is not NotImplemented:
            return mode, answer
    for one in asked:
        answer = one.__torch_function__(*call)
        if answer is not NotImplemented:
            return mode, answer
    return mode, NotImplemented


def nobody_knew(name: str, asked: list[Any], mode: Any) -> TypeError:
    """The error for a function that PyTorch has in Python and nobody implements."""
    text = (
        f"no implementation found for '{name}' on types that implement __torch_function__: "
        f"{[type(one) for one in asked]}"
    )
    return TypeError(text + (f" nor in mode {mode}" if mode is not None else ""))


def nobody_answered(name: str, asked: list[Any], mode: Any) -> TypeError:
    """The error for a function that PyTorch has in C++ and nobody implements."""
    lines = [] if mode is None else [f"  - mode object {mode!r}\n"]
    lines += [f"  - tensor subclass {type(one)}\n" for one in asked]
    return TypeError(_MULTIPLE.format(name, "".join(lines)))


# Arming


class _Armory:
    """What is armed, and what will be."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.places: list[tuple[str, Any, Iterable[str]]] = []
        self.entries: dict[int, Entry] = {}
        self.modes = 0
        self.armed = False
        self.symbols_armed = False
        self.made = False  # whether every public function is taken up
        self.heard = False  # whether there ever was an observer
        self.hear: Any = None  # what is called instead of a function (Note [Observed])
        self.taps: list[tuple[Any, str, str]] = []


_armory = _Armory()


def register(place: str, namespace: Any, public: Iterable[str]) -> None:
    """Has the functions of a module, or of the class Tensor, armed when that is needed.

    They become functions of their own, which stand nowhere else.
    """
    make_own(place, namespace, public)
    _armory.places.append((place, namespace, public))
    if _armory.made:
        with _armory.lock:
            arm_place(place, namespace, public)


def arm(symbols: bool = False) -> None:
    """Arms every public function (Note [Asked]); those of symbols too where a mode is coming."""
    with _armory.lock:
        if _armory.armed and (_armory.symbols_armed or not symbols):
            return
        _armory.armed, _armory.symbols_armed = True, _armory.symbols_armed or symbols
        make_entries(symbols)
        for entry in _armory.entries.values():
            settle(entry)


def make_entries(symbols: bool) -> None:
    """Takes up every public function, those of symbols where they are wanted too."""
    if not _armory.made:
        _armory.made = True
        for place in _armory.places:
            arm_place(*place)
    if symbols:
        for method in names.SYMBOLS:
            arm_function(getattr(tensor_class(), method), "torch.Tensor", method, "C")


def switch_modes(change: int) -> None:
    """Counts the modes that are on in any thread; while one is, every call is looked at."""
    with _armory.lock:
        _armory.modes += change
        if _armory.modes:
            QUIET.clear()
        else:
            QUIET.update(_quiet_types)


def listen(hear: Any) -> None:
    """Has `hear(entry, args, kwargs)` called instead of every public function; None ends it."""
    with _armory.lock:
        _armory.hear = hear
        if not _armory.heard:
            _armory.heard = True
            make_entries(symbols=True)
            for function, place, name in _armory.taps:
                arm_function(function, place, name, "observed")
        for entry in _armory.entries.values():
            entry.tell = None
            settle(entry)


def tap(function: Any, place: str, name: str) -> None:
    """Has an observer hear of one more function of the library, which nobody else is asked of."""
    with _armory.lock:
        _armory.taps.append((function, place, name))
        if _armory.heard:
            arm_function(function, place, name, "observed")


def keep_quiet(cls: type) -> None:
    """Says that a class of tensors is never asked."""
    _quiet_types.add(cls)
    if not _armory.modes:
        QUIET.add(cls)


def places() -> list[tuple[str, Any, Iterable[str]]]:
    """The modules and classes whose functions ask."""
    return _armory.places


def arm_place(place: str, namespace: Any, public: Iterable[str]) -> None:
    """Arms the functions of one module or class."""
    found = vars(namespace) if isinstance(namespace, type) else namespace
    for name in public:
        value = found.get(name)
        if isinstance(value, property):
            arm_property(place, name, value)
        elif isinstance(value, FunctionType) and name not in names.NEVER.get(place, ()):
            if place != "torch.Tensor" or name not in names.SYMBOLS:
                arm_function(value, place, name, names.style_of(place, name))


def arm_property(place: str, name: str, found: property) -> None:
    """Arms reading, setting and deleting of an attribute."""
    parts = (("__get__", found.fget), ("__set__", found.fset), ("__delete__", found.fdel))
    for part, function in parts:
        if isinstance(function, FunctionType):
            func = getattr(found, part)
            arm_function(function, place, f"{name}.{part}", "attribute", func)


def arm_function(function: Any, place: str, name: str, style: str, func: Any = None) -> None:
    """Gives a function the code that asks first."""
    if id(function) in _armory.entries:
        return
    original = copy_of(function)
    if function.__globals__.get("FUNCTION") is function:  # it compiles itself later
        function.__globals__["FUNCTION"] = original
        for key, value in vars(recorded).items():
            if value is function:
                setattr(recorded, key, original)
    is_binary = place == "torch.Tensor" and name in names.BINARY
    is_symbol = place == "torch.Tensor" and name in names.SYMBOLS
    if place == "torch.Tensor" and func is None:
        name = names.ALIASES.get(name, name)
        func = getattr(tensor_class(), name)
    entry = Entry(func or function, original, place, name, style, is_binary)
    entry.function, entry.is_symbol = function, is_symbol
    _armory.entries[id(function)] = entry
    settle(entry)


def settle(entry: Entry) -> None:
    """Gives a function the code that it has to have now: told, asking, or its own."""
    asking = _armory.armed and entry.style != "observed"
    if _armory.hear is not None:
        code = with_constants("observing", entry, {"HEAR": _armory.hear})
    elif asking and (_armory.symbols_armed or not entry.is_symbol):
        code = with_constants("asking", entry, ASKING)
    else:
        code = with_constants("passing", entry, {})
    function = entry.function
    if not hasattr(function, "__wrapped__"):
        function.__wrapped__ = entry.original  # whose signature it has
    function.__code__ = code


def with_constants(kind: str, entry: Entry, constants: dict[str, Any]) -> CodeType:
    """The code of an armed function for one function."""
    code = armed_code(kind, entry.function.__code__.co_freevars)
    constants = constants | {"ENTRY": entry, "ORIGINAL": entry.original}
    return code.replace(
        co_consts=tuple(constants.get(c, c) for c in code.co_consts),
        co_name=entry.function.__name__,
    )


# The strings are replaced by what they name when a function is armed: as constants they are
# found without a look into the function's own globals, whatever those are.
_BODIES = {
    "asking": """
        if kwargs_ or not "QUIET"("MAP"("TYPE", args_)):
            return "ANSWER"("ENTRY", args_, kwargs_)
        return "ORIGINAL"(*args_)""",
    "observing": """
        return "HEAR"("ENTRY", args_, kwargs_)""",
    "casting": """
        return "CAST"("ORIGINAL", args_, kwargs_)""",
    "passing": """
        return "ORIGINAL"(*args_, **kwargs_)""",
}


@functools.cache
def armed_code(kind: str, free: tuple[str, ...]) -> CodeType:
    """The code of an armed function that has these variables from outside.

    A function keeps its closure, so the code has to take it over: a debugger that reads the
    variables of a frame without it crashes the interpreter.
    """
    outside = "".join(f"    {name} = None\n" for name in free)
    inside = f"        ({', '.join(free)},)" if free else ""  # never reached
    body = f"    def armed(*args_, **kwargs_):{_BODIES[kind]}\n{inside}\n    return armed\n"
    text, file = f"def around():\n{outside}{body}", f"<seegrad {kind}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    scope: dict[str, Any] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)  # "'str' object is not callable"
        exec(compile(text, file, "exec"), scope)
    code: CodeType = scope["around"]().__code__
    return code


ASKING = {"QUIET": QUIET.issuperset, "MAP": map, "TYPE": type, "ANSWER": answer_of}


def own(function: Any) -> Any:
    """A function of the same code that is another object, as a method is not a function."""
    again = function.__globals__.get("again")
    if again is not None and function.__globals__.get("FUNCTION") is function:
        return again()
    return copy_of(function)


def make_own(place: str, namespace: Any, public: Iterable[str]) -> None:
    """Gives a module, or the class Tensor, functions that stand nowhere else."""
    never = names.NEVER.get(place, ())
    found = vars(namespace) if isinstance(namespace, type) else namespace
    for name in public:
        value = found.get(name)
        if isinstance(value, FunctionType) and name not in names.SYMBOLS and name not in never:
            mine = own(value)
            if isinstance(namespace, type):
                mine.__module__, mine.__qualname__ = "seegrad", f"Tensor.{name}"
                setattr(namespace, name, mine)
                continue
            if names.style_of(place, name) != "mode" and not has_second_thoughts(value):
                mine = with_second_thoughts(mine)
            # A pickle looks for it there.
            mine.__module__, mine.__qualname__ = namespace["__name__"], name
            namespace[name] = mine


def has_second_thoughts(function: Any) -> bool:
    """Whether a function is `public` (ops/calls.py) or an operator, which look when they fail."""
    return hasattr(function, "__wrapped__") or function.__globals__.get("FUNCTION") is function


def with_second_thoughts(function: Any) -> Any:
    """The function; where it fails because a class was not asked, that class is asked."""

    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except Exception:
            if found_asked(called, values_of(args, kwargs)):
                return called(*args, **kwargs)
            raise

    return called


def copy_of(function: Any) -> Any:
    """A copy of a function; what it knows of itself, the copy knows of itself."""
    cells = tuple(CellType() if holds(c, function) else c for c in function.__closure__ or ())
    copy = FunctionType(
        function.__code__,
        function.__globals__,
        function.__name__,
        function.__defaults__,
        cells or None,
    )
    for cell, before in zip(cells, function.__closure__ or (), strict=True):
        if cell is not before:
            cell.cell_contents = copy
    copy.__kwdefaults__ = function.__kwdefaults__
    copy.__dict__.update(function.__dict__)
    copy.__module__, copy.__doc__ = function.__module__, function.__doc__
    copy.__annotations__, copy.__qualname__ = function.__annotations__, function.__qualname__
    return copy


def holds(cell: CellType, function: Any) -> bool:
    """Whether this is the cell through which a function knows itself."""
    try:
        return cell.cell_contents is function
    except ValueError:  # nothing is in it
        return False


def symbol(name: str) -> Entry:
    """The entry of an operator that is written with a symbol."""
    method = names.METHODS[name]
    func = getattr(tensor_class(), method)
    return Entry(func, None, "torch.Tensor", method, "C", is_binary=True)
