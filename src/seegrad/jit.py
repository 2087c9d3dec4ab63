"""`torch.jit`: functions and modules stay what they are, because there is nothing to compile to.

A program that scripts or traces runs on, in Python; nothing that belongs to a compiled program
(`graph`, `code`, a `save` of its own) is there, and what TorchScript would refuse is not refused.
"""

import contextlib
import inspect
import types
import typing
import warnings
from builtins import isinstance as _isinstance
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple, NoReturn, TypeVar

from seegrad.missing import missing, not_there_yet

__all__ = [
    "Attribute",
    "Final",
    "annotate",
    "export",
    "fork",
    "freeze",
    "ignore",
    "is_scripting",
    "is_tracing",
    "isinstance",
    "load",
    "optimize_for_inference",
    "optimized_execution",
    "save",
    "script",
    "script_if_tracing",
    "script_method",
    "trace",
    "trace_module",
    "unused",
    "wait",
]

Scripted = TypeVar("Scripted")


class Attribute(NamedTuple):
    """A value and its type, for TorchScript."""

    value: Any
    type: Any


def _deprecated(name: str, instead: str = "switch to `torch.compile` or `torch.export`") -> None:
    """Warns as PyTorch does, with a line of the library: shown only to who asks for it."""
    warnings.warn(
        f"`torch.jit.{name}` is deprecated. Please {instead}.", DeprecationWarning, stacklevel=2
    )


def script(
    obj: Scripted,
    optimize: None = None,
    _frames_up: int = 0,
    _rcb: Any = None,
    example_inputs: Any = None,
) -> Scripted:
    """The function, class or module itself; also a decorator. TypeError for other objects.

    >>> import seegrad as torch, warnings
    >>> with warnings.catch_warnings(action="ignore"):  # it is deprecated
    ...     double = torch.jit.script(lambda x: x + x)
    >>> double(torch.ones(2))
    tensor([2., 2.])
    """
    _deprecated("script")
    if not callable(obj) or inspect.isbuiltin(obj):
        raise TypeError(f"{type(obj)} is a built-in class")
    return obj


def trace(
    func: Scripted,
    example_inputs: Any = None,
    optimize: None = None,
    check_trace: bool = True,
    check_inputs: Any = None,
    check_tolerance: float = 1e-5,
    strict: bool = True,
    _force_outplace: bool = False,
    _module_class: Any = None,
    _compilation_unit: Any = None,
    example_kwarg_inputs: Any = None,
    _store_inputs: bool = True,
) -> Scripted:
    """The function or module itself, which is not called; its branches stay branches.

    TypeError where no inputs are given.

    >>> import seegrad as torch, warnings
    >>> with warnings.catch_warnings(action="ignore"):  # it is deprecated
    ...     more = torch.jit.trace(lambda x: x + 1, torch.ones(2))
    >>> more(torch.zeros(3))
    tensor([1., 1., 1.])
    """
    _deprecated("trace")
    if example_inputs is None and example_kwarg_inputs is None:
        raise TypeError("'NoneType' object is not iterable")
    if not callable(func):
        raise RuntimeError("Could not get name of python class object")
    return func


def trace_module(mod: Scripted, inputs: Any, *args: Any, **options: Any) -> Scripted:
    """The module itself."""
    _deprecated("trace_method")
    return mod


def script_method(fn: Scripted) -> Scripted:
    """The method itself."""
    return fn


def script_if_tracing(fn: Scripted) -> Scripted:
    """The function itself."""
    return fn


def ignore(drop: Any = False, **kwargs: Any) -> Any:
    """The function itself; a decorator where it is called with options."""
    return drop if callable(drop) else script_method


def unused(fn: Scripted) -> Scripted:
    """The function itself."""
    return fn


def export(fn: Scripted) -> Scripted:
    """The method itself."""
    return fn


def is_scripting() -> bool:
    """False: nothing is ever being compiled."""
    return False


def is_tracing() -> bool:
    """False: nothing is ever being traced."""
    return False


def annotate(the_type: Any, the_value: Any) -> Any:
    """The value; its type is for TorchScript only."""
    return the_value


def isinstance(obj: Any, target_type: Any) -> bool:
    """Whether an object is of a type, with the types of what lists, tuples and dicts contain.

    >>> import seegrad as torch
    >>> torch.jit.isinstance([1, 2], list[int]), torch.jit.isinstance([1, "a"], list[int])
    (True, False)
    """
    if type(target_type) is tuple:
        return any(isinstance(obj, each) for each in target_type)
    origin, arguments = typing.get_origin(target_type), typing.get_args(target_type)
    if origin is None:
        _need_contents(target_type)
        return _isinstance(obj, target_type)
    if origin in (typing.Union, types.UnionType):
        return any(isinstance(obj, each) for each in arguments)
    if not _isinstance(obj, origin):
        return False
    if origin is list:
        return all(isinstance(each, arguments[0]) for each in obj)
    if origin is dict:
        return all(map(isinstance, obj, [arguments[0]] * len(obj))) and all(
            map(isinstance, obj.values(), [arguments[1]] * len(obj))
        )
    return len(obj) == len(arguments) and all(map(isinstance, obj, arguments))


def _need_contents(kind: Any) -> None:
    if kind in (list, dict, tuple):
        example = {list: "list[int]", dict: "dict[int, int]", tuple: "tuple[int]"}[kind]
        raise RuntimeError(
            f"Attempted to use {kind.__name__} without a contained type. Please add a contained "
            f"type, e.g. {example}"
        )


def freeze(mod: Scripted, preserved_attrs: Any = None, optimize_numerics: bool = True) -> Scripted:
    """The module itself."""
    _deprecated("freeze", "use `torch.compile` instead")
    return mod


def optimize_for_inference(mod: Scripted, other_methods: Any = None) -> Scripted:
    """The module itself."""
    _deprecated("optimize_for_inference", "use `torch.compile` instead")
    return mod


@contextlib.contextmanager
def optimized_execution(should_optimize: bool) -> Iterator[None]:
    """A `with` block that changes nothing."""
    yield


def fork(func: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """The result, at once; `wait` gives it."""
    _deprecated("fork", "use `torch.compile` instead")
    return func(*args, **kwargs)


def wait(future: Any) -> Any:
    """What `fork` returned."""
    _deprecated("wait", "use `torch.compile` instead")
    return future


def save(m: Any, f: Any, _extra_files: Any = None) -> NoReturn:
    """NotImplementedError: there is no TorchScript that a file could keep."""
    raise not_there_yet("torch.jit.save", "torch.save(model.state_dict(), file)")


def load(
    f: Any, map_location: Any = None, _extra_files: Any = None, _restore_shapes: bool = False
) -> NoReturn:
    """NotImplementedError: TorchScript cannot be run."""
    raise not_there_yet("torch.jit.load", "torch.load of a state_dict, into the model's class")


__getattr__ = missing(__name__, __all__)
