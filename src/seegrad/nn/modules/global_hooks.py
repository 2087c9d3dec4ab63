"""Hooks on the calls of all modules of the process."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from seegrad.utils.hooks import RemovableHandle

__all__ = [
    "GLOBAL",
    "register_module_backward_hook",
    "register_module_buffer_registration_hook",
    "register_module_forward_hook",
    "register_module_forward_pre_hook",
    "register_module_full_backward_hook",
    "register_module_full_backward_pre_hook",
    "register_module_module_registration_hook",
    "register_module_parameter_registration_hook",
]

Hook = Callable[..., Any]

_BOTH_KINDS = (
    "Cannot use both regular backward hooks and full backward hooks as a global Module hook. "
    "Please use only one of them."
)


class GlobalHooks:
    """The hooks of all modules; they come before those of the module that is called."""

    def __init__(self) -> None:
        self.forward: dict[int, Hook] = OrderedDict()
        self.forward_with_kwargs: dict[int, bool] = OrderedDict()
        self.forward_always_called: dict[int, bool] = OrderedDict()
        self.forward_pre: dict[int, Hook] = OrderedDict()
        self.backward: dict[int, Hook] = OrderedDict()
        self.backward_pre: dict[int, Hook] = OrderedDict()
        self.is_full_backward_hook: bool | None = None
        self.any: dict[int, bool] = OrderedDict()  # of every call: empty in the common case
        self.parameter: dict[int, Hook] = OrderedDict()  # called when one is registered
        self.buffer: dict[int, Hook] = OrderedDict()
        self.module: dict[int, Hook] = OrderedDict()

    def add(self, hooks: dict[int, Hook], hook: Hook, *flags: dict[int, bool]) -> RemovableHandle:
        """Puts `hook` into `hooks` and marks it in `flags`; all go with the handle."""
        handle = RemovableHandle(hooks, extra_dict=[self.any, *flags])
        hooks[handle.id] = hook
        for flag in (self.any, *flags):
            flag[handle.id] = True
        return handle

    def add_backward(self, hook: Hook, full: bool) -> RemovableHandle:
        """Puts a backward hook in place; RuntimeError where there was one of the other kind."""
        if self.is_full_backward_hook is (not full):
            raise RuntimeError(_BOTH_KINDS)
        self.is_full_backward_hook = full
        return self.add(self.backward, hook)

    def add_registration(self, hooks: dict[int, Hook], hook: Hook) -> RemovableHandle:
        """Puts `hook` into `hooks`, one of `parameter`, `buffer` and `module`."""
        handle = RemovableHandle(hooks)
        hooks[handle.id] = hook
        return handle


GLOBAL = GlobalHooks()


def registered(hooks: dict[int, Hook], module: Any, name: str, value: Any) -> Any:
    """What is registered in the end, after the hooks on registration."""
    for hook in tuple(hooks.values()):
        changed = hook(module, name, value)
        value = value if changed is None else changed
    return value


def register_module_forward_pre_hook(hook: Hook) -> RemovableHandle:
    """Calls `hook(module, args)` before the `forward` of every module.

    What it returns replaces the arguments. Returns a handle whose `remove()` takes it away.

    >>> import seegrad as torch
    >>> from seegrad.nn.modules.module import register_module_forward_pre_hook
    >>> with register_module_forward_pre_hook(lambda module, args: print(type(module).__name__)):
    ...     _ = torch.nn.Tanh()(torch.ones(1))
    Tanh
    """
    return GLOBAL.add(GLOBAL.forward_pre, hook)


def register_module_forward_hook(
    hook: Hook, *, with_kwargs: bool = False, always_call: bool = False
) -> RemovableHandle:
    """Calls `hook(module, args, output)` after the `forward` of every module.

    What it returns replaces the output. `with_kwargs=True`: `hook(module, args, kwargs, output)`.
    `always_call=True`: also when the call raises. Returns a handle.
    """
    flags = [GLOBAL.forward_with_kwargs] if with_kwargs else []
    flags += [GLOBAL.forward_always_called] if always_call else []
    return GLOBAL.add(GLOBAL.forward, hook, *flags)


def register_module_full_backward_pre_hook(hook: Hook) -> RemovableHandle:
    """Calls `hook(module, grad_output)` before the gradient goes back through any module.

    What it returns replaces `grad_output`. Returns a handle.
    """
    return GLOBAL.add(GLOBAL.backward_pre, hook)


def register_module_full_backward_hook(hook: Hook) -> RemovableHandle:
    """Calls `hook(module, grad_input, grad_output)` when the gradient of any module's inputs is
    there.

    What it returns replaces `grad_input`. Returns a handle. Raises RuntimeError after
    `register_module_backward_hook`.
    """
    return GLOBAL.add_backward(hook, full=True)


def register_module_backward_hook(hook: Hook) -> RemovableHandle:
    """As `register_module_full_backward_hook`, for the last node of a module only.

    Kept for old programs: `grad_input` is that of the last operator, not of the module.
    """
    return GLOBAL.add_backward(hook, full=False)


def register_module_parameter_registration_hook(hook: Hook) -> RemovableHandle:
    """Calls `hook(module, name, parameter)` whenever a module is given a parameter.

    What it returns is registered instead. Returns a handle.

    >>> import seegrad as torch
    >>> from seegrad.nn.modules.module import register_module_parameter_registration_hook
    >>> with register_module_parameter_registration_hook(lambda module, name, value: print(name)):
    ...     _ = torch.nn.Linear(1, 1)
    weight
    bias
    """
    return GLOBAL.add_registration(GLOBAL.parameter, hook)


def register_module_buffer_registration_hook(hook: Hook) -> RemovableHandle:
    """Calls `hook(module, name, buffer)` whenever a module is given a buffer, None too.

    What it returns is registered instead. Returns a handle.
    """
    return GLOBAL.add_registration(GLOBAL.buffer, hook)


def register_module_module_registration_hook(hook: Hook) -> RemovableHandle:
    """Calls `hook(module, name, child)` whenever a module is given a child, None too.

    What it returns is registered instead. Returns a handle.
    """
    return GLOBAL.add_registration(GLOBAL.module, hook)
