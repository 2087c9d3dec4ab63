"""What is another one while a program is traced: modules, parameters, wrapped functions."""

import builtins
import contextlib
import inspect
import sys
from collections.abc import Iterator
from types import FunctionType
from typing import Any

from seegrad.fx.proxy import proxies_in
from seegrad.nn.modules.module import Module

__all__ = ["by_position", "has_stars", "patched", "wrap"]

STARS = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS
# The names that programs wrapped, each with the globals of the module that said so.
_wrapped: dict[tuple[int, str], dict[str, Any]] = {}


def wrap(fn_or_name: Any) -> Any:
    """Has calls of a function be nodes of their own, in the module in which this is said.

    `fn_or_name`: a function (so it is a decorator) or the name of one, such as "len". Raises
    NotImplementedError anywhere but at the top of a module.

    >>> import seegrad as torch
    >>> torch.fx.wrap(3)
    Traceback (most recent call last):
    RuntimeError: Unsupported type for global function! Must be either a callable or string name
    """
    if not callable(fn_or_name) and not isinstance(fn_or_name, str):
        raise RuntimeError(
            "Unsupported type for global function! Must be either a callable or string name"
        )
    frame = sys._getframe(1)
    if frame.f_code.co_name != "<module>":
        raise NotImplementedError("wrap must be called at the top level of a module")
    name = fn_or_name if isinstance(fn_or_name, str) else fn_or_name.__name__
    _wrapped[id(frame.f_globals), name] = frame.f_globals
    return fn_or_name


def has_stars(function: Any) -> int:
    """The flags of `*args` and `**kwargs`, where a function has these."""
    return int(function.__code__.co_flags & STARS)


def by_position(function: Any) -> Any:
    """The function with all its arguments by position, in the order of `co_varnames`.

    So `*args` and `**kwargs` may each be one proxy.
    """
    code = function.__code__
    count = code.co_argcount + code.co_kwonlyargcount + has_stars(function).bit_count()
    code = code.replace(
        co_flags=code.co_flags & ~STARS,
        co_argcount=count,
        co_kwonlyargcount=0,
        co_posonlyargcount=0,
    )
    made = FunctionType(code, function.__globals__, function.__name__, None, function.__closure__)
    made.__annotations__ = function.__annotations__
    return made


def recording(function: Any) -> Any:
    """The function; called with a proxy it is a node."""

    def called(*args: Any, **kwargs: Any) -> Any:
        found = proxies_in((args, kwargs))
        if not found:
            return function(*args, **kwargs)
        made = found[0].tracer.create_proxy("call_function", function, args, kwargs)
        made.node.meta["is_wrapped"] = True
        return made

    return called


@contextlib.contextmanager
def patched(tracer: Any, function: Any) -> Iterator[None]:
    """Has modules and wrapped functions tell the tracer, while the block runs."""
    call, attribute = Module.__call__, Module.__getattr__
    cache: dict[str, Any] = {}

    def called(module: Any, *args: Any, **kwargs: Any) -> Any:
        def forward(*args: Any, **kwargs: Any) -> Any:
            return call(module, *args, **kwargs)

        return tracer.call_module(module, forward, args, kwargs)

    def got(module: Any, name: str) -> Any:
        return tracer.getattr(name, attribute(module, name), cache)

    with contextlib.ExitStack() as stack:
        replace(stack, Module, "__call__", called)
        replace(stack, Module, "__getattr__", got)
        for (_, name), scope in list(_wrapped.items()):
            original = scope.get(name, getattr(builtins, name, None))
            if original is not None:
                replace(stack, scope, name, recording(original))
        whole = [vars(module) for module in tracer._autowrap_modules]
        known = {id(f) for scope in whole for f in scope.values() if callable(f)}
        known |= {id(f) for f in tracer._autowrap_functions}
        for scope in (*whole, function.__globals__):
            for name, value in list(scope.items()):
                if callable(value) and id(value) in known and not name.startswith("_"):
                    replace(stack, scope, name, recording(value))
        yield


def replace(stack: contextlib.ExitStack, place: Any, name: str, value: Any) -> None:
    """Sets a name in a class or a module, until the stack is left."""
    if isinstance(place, type):
        own = vars(place)
        before = own.get(name, stack)
        stack.callback(set_back, place, name, before, stack)
        setattr(place, name, value)
        return
    before = place.get(name, stack)
    stack.callback(put_back, place, name, before, stack)
    place[name] = value


def set_back(place: type, name: str, before: Any, nothing: Any) -> None:
    """Gives a class back what it had under a name."""
    if before is nothing:
        delattr(place, name)
    else:
        setattr(place, name, before)


def put_back(place: dict[str, Any], name: str, before: Any, nothing: Any) -> None:
    """Gives a module back what it had under a name."""
    if before is nothing:
        del place[name]
    else:
        place[name] = before
