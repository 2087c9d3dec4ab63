"""What runs around every step: hooks of one optimiser and of all, and the mode of recording."""

import functools
from collections import OrderedDict
from collections.abc import Callable
from itertools import chain
from typing import Any

from seegrad.autograd.grad_mode import set_grad_enabled
from seegrad.graph.hooks import RemovableHandle

__all__ = [
    "Hook",
    "register",
    "register_optimizer_step_post_hook",
    "register_optimizer_step_pre_hook",
    "use_grad_for_differentiable",
    "with_hooks",
]

Hook = Callable[..., Any]
Step = Callable[..., Any]

_all_pre: dict[int, Hook] = OrderedDict()
_all_post: dict[int, Hook] = OrderedDict()


def with_hooks(step: Step) -> Step:
    """`step` with the step hooks of its optimiser around it, and those of all."""

    @functools.wraps(step)
    def hooked(self: Any, *args: Any, **kwargs: Any) -> Any:
        self._opt_called = True
        pre, post = self._optimizer_step_pre_hooks, self._optimizer_step_post_hooks
        if not (pre or post or _all_pre or _all_post):
            return step(self, *args, **kwargs)
        arguments: tuple[Any, ...] = (self, *args)
        for hook in chain(_all_pre.values(), pre.values()):
            changed = hook(self, arguments, kwargs)
            if changed is not None:
                if not (isinstance(changed, tuple) and len(changed) == 2):
                    raise RuntimeError(
                        f"{step} must return None or a tuple of (new_args, new_kwargs), "
                        f"but got {changed}."
                    )
                arguments, kwargs = changed
        result = step(*arguments, **kwargs)
        for hook in chain(post.values(), _all_post.values()):
            hook(self, arguments, kwargs)
        return result

    return hooked


def register(hooks: dict[int, Hook], hook: Hook, prepend: bool = False) -> RemovableHandle:
    """Put a hook at the end of others, or before them."""
    handle = RemovableHandle(hooks)
    hooks[handle.id] = hook
    if prepend:
        hooks.move_to_end(handle.id, last=False)  # type: ignore[attr-defined]
    return handle


def register_optimizer_step_pre_hook(hook: Hook) -> RemovableHandle:
    """Call `hook(optimizer, args, kwargs)` before each step of any optimiser."""
    return register(_all_pre, hook)


def register_optimizer_step_post_hook(hook: Hook) -> RemovableHandle:
    """Call `hook(optimizer, args, kwargs)` after each step of any optimiser."""
    return register(_all_post, hook)


def use_grad_for_differentiable(step: Step) -> Step:
    """`step`, recorded where the optimiser was made with `differentiable`, and only there."""

    @functools.wraps(step)
    def in_mode(self: Any, *args: Any, **kwargs: Any) -> Any:
        with set_grad_enabled(bool(self.defaults["differentiable"])):
            return step(self, *args, **kwargs)

    return in_mode
