"""The names of torch.overrides: classes and modes that are asked before a function runs."""

import functools
import sys
from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Any, Self

from seegrad.graph import asked as _asked
from seegrad.graph import asked_names as _names
from seegrad.graph.state import thread as _thread
from seegrad.missing import missing as _missing
from seegrad.tensor.tensor import Tensor

__all__ = [
    "BaseTorchFunctionMode",
    "TorchFunctionMode",
    "get_ignored_functions",
    "get_overridable_functions",
    "handle_torch_function",
    "has_torch_function",
    "is_tensor_like",
    "is_tensor_method_or_property",
    "resolve_name",
    "wrap_torch_function",
]


def has_torch_function(relevant_args: Iterable[Any]) -> bool:
    """Whether one of these arguments is to be asked, or a mode is on.

    >>> import seegrad as torch
    >>> torch.overrides.has_torch_function((torch.ones(1),))
    False
    """
    state = _thread.state
    if state.asked_modes and state.unasked < 2:
        return True
    return not state.unasked and bool(_asked.asked_among(relevant_args))


def handle_torch_function(
    public_api: Callable[..., Any], relevant_args: Iterable[Any], *args: Any, **kwargs: Any
) -> Any:
    """Asks the classes of `relevant_args` what `public_api(*args, **kwargs)` is.

    Raises TypeError where none of them knows.

    >>> import seegrad as torch
    >>> class Five:
    ...     @classmethod
    ...     def __torch_function__(cls, func, types, args=(), kwargs=None):
    ...         return 5
    >>> torch.overrides.handle_torch_function(len, (Five(),), Five())
    5
    """
    relevant = tuple(relevant_args)
    asked = [] if _thread.state.unasked else _asked.asked_among(relevant)
    types = tuple(type(one) for one in _asked.asked_among(relevant, with_plain=True))
    mode, answer = _asked.put_question(public_api, types, asked, args, kwargs)
    if answer is NotImplemented:
        name = f"{public_api.__module__}.{public_api.__name__}"
        raise _asked.nobody_knew(name, asked, mode)
    return answer


def wrap_torch_function(
    dispatcher: Callable[..., Iterable[Any]],
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator that lets the classes of the arguments `dispatcher` returns be asked first.

    >>> import seegrad as torch
    >>> @torch.overrides.wrap_torch_function(lambda a: (a,))
    ... def double(a):
    ...     return a + a
    >>> double(torch.ones(1))
    tensor([2.])
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            relevant = tuple(dispatcher(*args, **kwargs))
            if has_torch_function(relevant):
                return handle_torch_function(wrapped, relevant, *args, **kwargs)
            return function(*args, **kwargs)

        return wrapped

    return decorate


def is_tensor_like(inp: Any) -> bool:
    """Whether something is a tensor, or of a class with a `__torch_function__`.

    >>> import seegrad as torch
    >>> torch.overrides.is_tensor_like(1)
    False
    """
    return isinstance(inp, Tensor) or hasattr(inp, "__torch_function__")


def get_overridable_functions() -> dict[Any, list[Any]]:
    """The functions that ask, by the module or class that has them.

    >>> import seegrad as torch
    >>> torch.add in torch.overrides.get_overridable_functions()[torch]
    True
    """
    found: dict[Any, list[Any]] = {}
    for place, namespace, public in _asked.places():
        if isinstance(namespace, type):
            holder: Any = Tensor
        else:
            holder = sys.modules["seegrad" + place.removeprefix("torch")]
        values = vars(namespace) if isinstance(namespace, type) else namespace
        for name in public:
            value = values.get(name)
            if name in _names.NEVER.get(place, ()) or _names.style_of(place, name) == "mode":
                continue
            if isinstance(value, FunctionType):
                found.setdefault(holder, []).append(value)
            elif isinstance(value, property):
                found[value] = [value.__get__]
    return found


def get_ignored_functions() -> set[Any]:
    """The public functions that ask no class: those that make tensors, and settings.

    >>> import seegrad as torch
    >>> torch.ones in torch.overrides.get_ignored_functions()
    True
    """
    found = set()
    for place, namespace, public in _asked.places():
        values = vars(namespace) if isinstance(namespace, type) else namespace
        for name in public:
            if name in _names.NEVER.get(place, ()) or _names.style_of(place, name) == "mode":
                if isinstance(values.get(name), FunctionType):
                    found.add(values[name])
    return found


def resolve_name(f: Any) -> str | None:
    """The public name of a function that asks; None for any other.

    >>> import seegrad as torch
    >>> torch.overrides.resolve_name(torch.Tensor.add)
    'torch.Tensor.add'
    """
    for place, namespace, public in _asked.places():
        values = vars(namespace) if isinstance(namespace, type) else namespace
        for name in public:
            value = values.get(name)
            if isinstance(value, property):
                for part in ("__get__", "__set__"):
                    if f == getattr(value, part):
                        return f"{place}.{name}.{part}"
            if value is f and isinstance(value, FunctionType):
                in_python = place == "torch" and _names.style_of(place, name) == "Python"
                return f"{_names.PLACES['torch'] if in_python else place}.{name}"
    return None


def is_tensor_method_or_property(func: Any) -> bool:
    """Whether this is a method of tensors, or what reads an attribute of theirs.

    >>> import seegrad as torch
    >>> torch.overrides.is_tensor_method_or_property(torch.add)
    False
    """
    name = resolve_name(func) or ""
    return name.startswith("torch.Tensor.") and not name.endswith(".__set__")


class TorchFunctionMode:
    """Is asked of every public function called in its `with` block, before all classes.

    A derived class defines `__torch_function__(self, func, types, args=(), kwargs=None)`. Inside
    of it the mode is off.

    >>> import seegrad as torch
    >>> class Names(torch.overrides.TorchFunctionMode):
    ...     def __torch_function__(self, func, types, args=(), kwargs=None):
    ...         print(torch.overrides.resolve_name(func))
    ...         return func(*args, **(kwargs or {}))
    >>> with Names():
    ...     x = torch.ones(2) * 2
    torch.ones
    torch.Tensor.mul
    """

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        raise NotImplementedError

    def __enter__(self) -> Self:
        _asked.arm(symbols=True)
        _asked.switch_modes(1)
        _thread.state.asked_modes.append(self)
        return self

    def __exit__(self, *_: object) -> None:
        _thread.state.asked_modes.pop()
        _asked.switch_modes(-1)


class BaseTorchFunctionMode(TorchFunctionMode):
    """A mode that lets every function do what it does."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return func(*args, **(kwargs or {}))


__getattr__ = _missing(__name__, __all__)
