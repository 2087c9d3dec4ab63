"""Modes of a thread and their managers: grad mode, inference mode, and what is set beside them."""

import functools
import inspect
import warnings
from collections.abc import Callable
from typing import Any

from seegrad.graph.asked import tap
from seegrad.graph.state import thread
from seegrad.graph.tensor import TensorBase
from seegrad.graph.versions import set_versions, version_of

__all__ = [
    "enable_grad",
    "enforce_grad_layout_policy",
    "inference_mode",
    "is_grad_enabled",
    "is_inference_mode_enabled",
    "is_multithreading_enabled",
    "is_view_replay_enabled",
    "no_grad",
    "set_grad_enabled",
    "set_multithreading_enabled",
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
    return thread.state.grad_mode()


class Mode:
    """A context manager that decorates functions too: each call has a manager of its own."""

    def __enter__(self) -> None:
        raise NotImplementedError

    def __exit__(self, *error: object) -> None:
        raise NotImplementedError

    def clone(self) -> "Mode":
        """Another manager of the same kind."""
        return type(self)()

    def __call__(self, orig_func: Any) -> Any:
        """Decorates a function, a generator function or (deprecated) a class."""
        return decorated(self.clone, orig_func)


class Plain(Mode):
    """`no_grad` and `enable_grad`: also decorators without parentheses."""

    enabled: bool
    prev = False

    def __new__(cls, orig_func: Any = None) -> Any:
        return object.__new__(cls) if orig_func is None else decorated(cls, orig_func)

    def __enter__(self) -> None:
        state = thread.state
        self.prev = state.mode != 0 or state.said
        if self.prev is not self.enabled:
            state.set_grad_mode(self.enabled)

    def __exit__(self, *_: object) -> None:
        thread.state.set_grad_mode(self.prev)


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


class Setting(Mode):
    """Acts at once, as a function; as a context manager also restores at the end."""

    setter: str  # what PyTorch's TypeError calls it
    mode: bool
    prev: bool

    def __init__(self, mode: bool) -> None:
        if not isinstance(mode, bool):
            raise TypeError(
                f"{self.setter}(): argument 'enabled' (position 1) must be bool, not "
                f"{type(mode).__name__}"
            )
        self.prev = self.is_on()
        self.mode = mode
        self.switch(mode)

    @staticmethod
    def is_on() -> bool:
        """What is set now."""
        raise NotImplementedError

    @staticmethod
    def switch(mode: bool) -> None:
        """Sets it."""
        raise NotImplementedError

    def __enter__(self) -> None:
        """It was set already."""

    def __exit__(self, *_: object) -> None:
        self.switch(self.prev)

    def __call__(self, orig_func: Any) -> Any:
        """Decorates a function; what is set for the caller is as it was."""
        self.switch(self.prev)
        return super().__call__(orig_func)

    def clone(self) -> Mode:
        """Another manager of the same mode."""
        return type(self)(self.mode)


class set_grad_enabled(Setting):
    """Switches recording at once; as a context manager restores it at the end.

    Raises TypeError for what is not a bool.

    >>> import seegrad as torch
    >>> with torch.set_grad_enabled(False):
    ...     torch.is_grad_enabled()
    False
    """

    setter = "set_grad_enabled"

    @staticmethod
    def is_on() -> bool:
        """Whether grad mode is on."""
        return thread.state.grad_mode()

    @staticmethod
    def switch(mode: bool) -> None:
        """Switches grad mode."""
        thread.state.set_grad_mode(mode)

    def __enter__(self) -> None:
        self.switch(self.mode)

    def __repr__(self) -> str:
        return f"torch.autograd.grad_mode.set_grad_enabled(mode={self.mode})"


class set_multithreading_enabled(Setting):
    """Remembers whether backward may use threads; here it runs in the thread that calls it.

    Raises TypeError for what is not a bool.

    >>> import seegrad as torch
    >>> with torch.autograd.set_multithreading_enabled(False):
    ...     torch.autograd.is_multithreading_enabled()
    False
    """

    setter = "set_multithreading_enabled"

    @staticmethod
    def is_on() -> bool:
        """What was said last in this thread."""
        return thread.state.multithreading

    @staticmethod
    def switch(mode: bool) -> None:
        """Remembers it."""
        thread.state.multithreading = mode

    def __call__(self, orig_func: Any) -> Any:
        """Decorates a function; what was said stays said."""
        return Mode.__call__(self, orig_func)


class enforce_grad_layout_policy(Setting):
    """Whether a leaf's first gradient lies in memory as the leaf does, which is the default.

    If not, a gradient that nobody else holds is kept as it comes.

    >>> import seegrad as torch
    >>> x = torch.ones(3, 2).t().requires_grad_()
    >>> with torch.autograd.enforce_grad_layout_policy(False):
    ...     (x * 2).sum().backward()
    >>> x.stride(), x.grad.stride()
    ((1, 2), (3, 1))
    """

    setter = "set_grad_layout_enforcement_enabled"

    def __init__(self, enable: bool = True) -> None:
        super().__init__(enable)

    @staticmethod
    def is_on() -> bool:
        """What was set last in this thread."""
        return thread.state.enforcing

    @staticmethod
    def switch(mode: bool) -> None:
        """Sets it for the gradients to come."""
        thread.state.enforcing = mode


class _force_original_view_tracking(Setting):
    """Whether a view made now is made anew by its own operators after a write to its memory.

    Otherwise it gets one AsStridedBackward0. Raises TypeError for what is not a bool.

    >>> import seegrad as torch
    >>> with torch.autograd._force_original_view_tracking(True):
    ...     view = torch.ones(2, 2, requires_grad=True).clone().view(-1)
    >>> view.mul_(2).grad_fn.name()
    'ViewBackward0'
    """

    setter = "set_view_replay_enabled"

    @staticmethod
    def is_on() -> bool:
        """What was said last in this thread."""
        return thread.state.replaying

    @staticmethod
    def switch(mode: bool) -> None:
        """Sets it for the views to come."""
        thread.state.replaying = mode
        thread.state.refresh()


def is_multithreading_enabled() -> bool:
    """What was last said to `set_multithreading_enabled`.

    >>> import seegrad as torch
    >>> torch.autograd.is_multithreading_enabled()
    True
    """
    return set_multithreading_enabled.is_on()


def is_view_replay_enabled() -> bool:
    """What was last said to `_force_original_view_tracking`.

    >>> import seegrad as torch
    >>> torch.autograd.is_view_replay_enabled()
    False
    """
    return _force_original_view_tracking.is_on()


class inference_mode(Mode):
    """As `no_grad`, and tensors made inside are *inference tensors*: their writes are not counted.

    Outside they cannot be saved for backward, written to, or made to require a gradient; `clone`
    makes normal tensors of them. `inference_mode(False)` is a normal block inside. Also a
    decorator, with and without parentheses.

    >>> import seegrad as torch
    >>> with torch.inference_mode():
    ...     x = torch.ones(2)
    >>> x.is_inference(), x.clone().is_inference(), (x + 1).is_inference()
    (True, False, False)
    """

    mode: bool

    def __new__(cls, mode: Any = True) -> Any:
        return object.__new__(cls) if isinstance(mode, bool) else decorated(cls, mode)

    def __init__(self, mode: bool = True) -> None:
        self.mode = mode

    def __enter__(self) -> None:
        state = thread.state
        self._before = state.inference, state.grad_mode()
        state.infer(self.mode, not self.mode)

    def __exit__(self, *_: object) -> None:
        thread.state.infer(*self._before)

    def clone(self) -> Mode:
        """Another manager of the same mode."""
        return inference_mode(self.mode)


def is_inference_mode_enabled() -> bool:
    """Whether inference mode is on.

    >>> import seegrad as torch
    >>> torch.is_inference_mode_enabled()
    False
    """
    return thread.state.inference


class _unsafe_preserve_version_counter(Mode):
    """Writes inside do not count. Takes a tensor or a tuple of them.

    Raises AssertionError for anything else, RuntimeError for an inference tensor.

    >>> import seegrad as torch
    >>> x = torch.ones(2)
    >>> with torch.autograd._unsafe_preserve_version_counter(x):
    ...     _ = x.add_(1)
    >>> x._version
    0
    """

    def __init__(self, tensors: Any) -> None:
        self.tensors = (tensors,) if isinstance(tensors, TensorBase) else tensors
        if not isinstance(self.tensors, tuple):
            raise AssertionError("Expected tensors to be a tuple")
        self.prev_versions = [version_of(tensor) for tensor in self.tensors]

    def __enter__(self) -> None:
        """The versions are known already."""

    def __exit__(self, *_: object) -> None:
        set_versions(self.tensors, self.prev_versions)


for _cls in (
    no_grad,
    enable_grad,
    enforce_grad_layout_policy,
    set_grad_enabled,
    set_multithreading_enabled,
    inference_mode,
    _force_original_view_tracking,
    _unsafe_preserve_version_counter,
):
    _cls.__module__ = "torch.autograd.grad_mode"

tap(Setting.__init__, "torch.autograd.grad_mode", "Mode.__init__")
for _cls in (Plain, set_grad_enabled, inference_mode):
    tap(_cls.__enter__, "torch.autograd.grad_mode", "Mode.__enter__")
    tap(_cls.__exit__, "torch.autograd.grad_mode", "Mode.__exit__")


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
