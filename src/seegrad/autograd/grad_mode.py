"""`no_grad`, `enable_grad`, `set_grad_enabled`: context managers, decorators, per thread."""

import functools
import inspect
import warnings
from collections.abc import Callable
from typing import Any

from seegrad.graph.state import is_recording, thread

__all__ = [
    "enable_grad",
    "inference_mode",
    "is_grad_enabled",
    "is_inference_mode_enabled",
    "no_grad",
    "set_grad_enabled",
]

DECORATED_CLASS = (
    "Decorating classes is deprecated and will be disabled in future versions. You should only "
    "decorate functions or methods. To preserve the current behavior of class decoration, you can "
    "directly decorate the `__init__` method and nothing else."
)


def is_grad_enabled() -> bool:
    """Whether operators called now by this thread are recorded.

    >>> import seegrad as torch
    >>> torch.is_grad_enabled()
    True
    """
    return is_recording()


def set_mode(on: bool) -> None:
    """Switches recording, leaving the special modes above it alone."""
    state = thread.state
    if bool(state.mode) is not on:
        state.mode = state.on if on else 0


class Mode:
    """A context manager that sets recording and restores it, and decorates functions."""

    enabled: bool
    prev: bool

    def __enter__(self) -> None:
        state = thread.state
        self.prev = state.mode != 0
        if self.prev is not self.enabled:
            state.mode = state.on if self.enabled else 0

    def __exit__(self, *_: object) -> None:
        set_mode(self.prev)

    def clone(self) -> "Mode":
        """Another manager of the same kind."""
        return type(self)()

    def __call__(self, orig_func: Any) -> Any:
        """Decorates a function, a generator function or (deprecated) a class."""
        return decorated(self.clone, orig_func)


class Plain(Mode):
    """`no_grad` and `enable_grad`: also decorators without parentheses."""

    def __new__(cls, orig_func: Any = None) -> Any:
        return object.__new__(cls) if orig_func is None else decorated(cls, orig_func)


class no_grad(Plain):
    """Nothing is recorded inside: a context manager and a decorator.

    >>> import seegrad as torch
    >>> x = torch.ones(1, requires_grad=True)
    >>> with torch.no_grad():
    ...     y = x * 2
    >>> y.requires_grad
    False
    """

    enabled = False


class enable_grad(Plain):
    """Operators are recorded inside, also within `no_grad`.

    >>> import seegrad as torch
    >>> x = torch.ones(1, requires_grad=True)
    >>> with torch.no_grad(), torch.enable_grad():
    ...     y = x * 2
    >>> y.requires_grad
    True
    """

    enabled = True


class set_grad_enabled(Mode):
    """Switches recording at once; as a context manager restores it at the end.

    Raises TypeError for what is not a bool.

    >>> import seegrad as torch
    >>> with torch.set_grad_enabled(False):
    ...     torch.is_grad_enabled()
    False
    """

    def __init__(self, mode: bool) -> None:
        if not isinstance(mode, bool):
            raise TypeError(
                "set_grad_enabled(): argument 'enabled' (position 1) must be bool, not "
                f"{type(mode).__name__}"
            )
        self.enabled = mode
        self.prev = is_recording()
        set_mode(mode)

    def __enter__(self) -> None:
        set_mode(self.enabled)

    def __call__(self, orig_func: Any) -> Any:
        """Decorates a function; the mode of the caller is as it was."""
        set_mode(self.prev)
        return super().__call__(orig_func)

    def __repr__(self) -> str:
        return f"torch.autograd.grad_mode.set_grad_enabled(mode={self.enabled})"

    def clone(self) -> Mode:
        """Another manager of the same mode."""
        made = object.__new__(set_grad_enabled)
        made.enabled, made.prev = self.enabled, is_recording()
        return made


class inference_mode(Mode):
    """As `no_grad`; views made inside must not be written to outside.

    Tensors made inside are ordinary tensors, so nothing that PyTorch allows is refused.

    >>> import seegrad as torch
    >>> with torch.inference_mode():
    ...     torch.is_inference_mode_enabled()
    True
    """

    def __new__(cls, mode: Any = True) -> Any:
        if callable(mode):
            return decorated(cls, mode)
        return super().__new__(cls)

    def __init__(self, mode: bool = True) -> None:
        self.enabled = not mode

    def __enter__(self) -> None:
        super().__enter__()
        self._inferring = thread.state.inference
        thread.state.inference = not self.enabled

    def __exit__(self, *error: object) -> None:
        thread.state.inference = self._inferring
        super().__exit__(*error)

    def clone(self) -> Mode:
        """Another manager of the same mode."""
        return inference_mode(not self.enabled)


def is_inference_mode_enabled() -> bool:
    """Whether inference mode is on.

    >>> import seegrad as torch
    >>> torch.is_inference_mode_enabled()
    False
    """
    return thread.state.inference


for _cls in (no_grad, enable_grad, set_grad_enabled, inference_mode):
    _cls.__module__ = "torch.autograd.grad_mode"


def decorated(make: Callable[[], Mode], function: Any) -> Any:
    """The function with every call, or every step of a generator, inside the mode."""
    if inspect.isclass(function):
        warnings.warn(DECORATED_CLASS, FutureWarning, stacklevel=3)
        constructor: Any = function.__init__
        setattr(function, "__init__", decorated(make, constructor))  # noqa: B010
        return function
    if inspect.isgeneratorfunction(function):
        return decorated_generator(make, function)

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        with make():
            return function(*args, **kwargs)

    return wrapper


def decorated_generator(make: Callable[[], Mode], function: Any) -> Any:
    """Between two steps the caller has its own mode."""

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        generator = function(*args, **kwargs)
        try:
            with make():
                response = generator.send(None)
            while True:
                try:
                    request = yield response
                except GeneratorExit:
                    with make():
                        generator.close()
                    raise
                except BaseException as error:
                    with make():
                        response = generator.throw(error)
                else:
                    with make():
                        response = generator.send(request)
        except StopIteration as stop:
            return stop.value

    return wrapper
