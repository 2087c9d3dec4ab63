"""Hooks around the call of a module: registering them, and the call that runs them."""

import functools
import warnings
from collections.abc import Callable
from typing import Any

from seegrad.nn.modules.backward_hooks import BackwardHook
from seegrad.nn.modules.registry import Registry
from seegrad.tensor.tensor import Tensor
from seegrad.utils.hooks import RemovableHandle

Hook = Callable[..., Any]
Hooks = dict[int, Any]

_BOTH_KINDS = (
    "Cannot use both regular backward hooks and full backward hooks on a single Module. "
    "Please use only one of them."
)


class Hookable(Registry):
    """The hooks of a module. `Module.__call__` comes here only where one is registered."""

    _backward_pre_hooks: Hooks
    _backward_hooks: Hooks
    _is_full_backward_hook: bool | None
    _forward_hooks: Hooks
    _forward_hooks_with_kwargs: Hooks
    _forward_hooks_always_called: Hooks
    _forward_pre_hooks: Hooks
    _forward_pre_hooks_with_kwargs: Hooks
    forward: Callable[..., Any]

    def register_forward_pre_hook(
        self, hook: Hook, *, prepend: bool = False, with_kwargs: bool = False
    ) -> RemovableHandle:
        """Call `hook(module, args)` before `forward`; what it returns replaces the arguments.

        `with_kwargs=True`: `hook(module, args, kwargs)`, which returns None or both. Returns a
        handle whose `remove()` takes the hook away.

        >>> import seegrad as torch
        >>> double = torch.nn.Identity()
        >>> handle = double.register_forward_pre_hook(lambda module, args: (args[0] * 2,))
        >>> double(torch.ones(1))
        tensor([2.])
        """
        flags = [self._forward_pre_hooks_with_kwargs] if with_kwargs else []
        return _add(self._forward_pre_hooks, hook, prepend, flags)

    def register_forward_hook(
        self,
        hook: Hook,
        *,
        prepend: bool = False,
        with_kwargs: bool = False,
        always_call: bool = False,
    ) -> RemovableHandle:
        """Call `hook(module, args, output)` after `forward`; what it returns replaces the output.

        `with_kwargs=True`: `hook(module, args, kwargs, output)`. `always_call=True`: also when
        the call raises. Returns a handle whose `remove()` takes the hook away.

        >>> import seegrad as torch
        >>> layer = torch.nn.Identity()
        >>> handle = layer.register_forward_hook(lambda module, args, out: print(out.shape))
        >>> _ = layer(torch.ones(2))
        torch.Size([2])
        """
        flags = [self._forward_hooks_with_kwargs] if with_kwargs else []
        flags += [self._forward_hooks_always_called] if always_call else []
        return _add(self._forward_hooks, hook, prepend, flags)

    def register_full_backward_pre_hook(
        self, hook: Hook, prepend: bool = False
    ) -> RemovableHandle:
        """Call `hook(module, grad_output)` before the gradient goes back through this module.

        What the hook returns replaces `grad_output`, a tuple with one entry for each output.
        """
        return _add(self._backward_pre_hooks, hook, prepend, [])

    def register_full_backward_hook(self, hook: Hook, prepend: bool = False) -> RemovableHandle:
        """Call `hook(module, grad_input, grad_output)` when the gradient of the inputs is there.

        What the hook returns replaces `grad_input`, a tuple with one entry for each positional
        argument (None where it is no tensor).

        >>> import seegrad as torch
        >>> layer = torch.nn.ReLU()
        >>> handle = layer.register_full_backward_hook(lambda m, grad_in, grad_out: print(grad_in))
        >>> layer(torch.ones(1, requires_grad=True)).backward()
        (tensor([1.]),)
        """
        self._set_backward_hook_kind(full=True)
        return _add(self._backward_hooks, hook, prepend, [])

    def register_backward_hook(self, hook: Hook) -> RemovableHandle:
        """Call `hook(module, grad_input, grad_output)` after the last node of this module has run.

        Kept for old programs: `grad_input` is that of the last operator, not of the module.
        """
        self._set_backward_hook_kind(full=False)
        return _add(self._backward_hooks, hook, False, [])

    def _set_backward_hook_kind(self, full: bool) -> None:
        if self._is_full_backward_hook is (not full):
            raise RuntimeError(_BOTH_KINDS)
        self._is_full_backward_hook = full

    def _call_with_hooks(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """`forward` with all hooks around it."""
        called: set[int] = set()
        try:
            return self._run_hooks(args, kwargs, called)
        except Exception:
            self._call_remaining_hooks(args, kwargs, called)
            raise

    def _run_hooks(self, args: tuple[Any, ...], kwargs: dict[str, Any], called: set[int]) -> Any:
        args, kwargs = self._run_pre_hooks(args, kwargs)
        backward_hook = None
        if self._backward_pre_hooks or (self._backward_hooks and self._is_full_backward_hook):
            full = self._backward_hooks.values() if self._is_full_backward_hook else ()
            backward_hook = BackwardHook(self, full, self._backward_pre_hooks.values())
            args = backward_hook.wrap_inputs(args)
        result = self.forward(*args, **kwargs)
        for key, hook in list(self._forward_hooks.items()):
            called.add(key)
            changed = self._call_forward_hook(key, hook, args, kwargs, result)
            result = result if changed is None else changed
        if backward_hook is not None:
            result = backward_hook.wrap_outputs(result)
        if self._backward_hooks and not self._is_full_backward_hook:
            self._hook_last_node(args, result)
        return result

    def _run_pre_hooks(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        for key, hook in list(self._forward_pre_hooks.items()):
            if key in self._forward_pre_hooks_with_kwargs:
                changed = hook(self, args, kwargs)
                if changed is None:
                    continue
                if not (isinstance(changed, tuple) and len(changed) == 2):
                    raise RuntimeError(
                        "forward pre-hook must return None or a tuple of (new_args, new_kwargs), "
                        f"but got {changed}."
                    )
                args, kwargs = changed
            else:
                changed = hook(self, args)
                if changed is not None:
                    args = changed if isinstance(changed, tuple) else (changed,)
        return args, kwargs

    def _call_forward_hook(
        self, key: int, hook: Hook, args: tuple[Any, ...], kwargs: dict[str, Any], result: Any
    ) -> Any:
        if key in self._forward_hooks_with_kwargs:
            return hook(self, args, kwargs, result)
        return hook(self, args, result)

    def _call_remaining_hooks(
        self, args: tuple[Any, ...], kwargs: dict[str, Any], called: set[int]
    ) -> None:
        """After an error: run the `always_call` hooks that did not run; their errors only warn."""
        for key, hook in list(self._forward_hooks.items()):
            if key in self._forward_hooks_always_called and key not in called:
                try:
                    self._call_forward_hook(key, hook, args, kwargs, None)
                except Exception as error:
                    warnings.warn(
                        "module forward hook with ``always_call=True`` raised an exception that "
                        f"was silenced as another error was raised in forward: {error}",
                        stacklevel=2,
                    )

    def _hook_last_node(self, args: tuple[Any, ...], result: Any) -> None:
        """Put the old-style backward hooks on the node that made the (first) result."""
        while not isinstance(result, Tensor):
            if isinstance(result, dict):
                result = next(value for value in result.values() if isinstance(value, Tensor))
            else:
                result = result[0]
        node = result.grad_fn
        if node is not None:
            for hook in self._backward_hooks.values():
                node.register_hook(functools.partial(hook, self))
            _warn_of_several_nodes(args, node)


def _add(hooks: Hooks, hook: Hook, prepend: bool, flags: list[Hooks]) -> RemovableHandle:
    """Put `hook` into `hooks` and mark it in the dictionaries `flags`; all go with the handle."""
    handle = RemovableHandle(hooks, extra_dict=flags)
    hooks[handle.id] = hook
    for flag in flags:
        flag[handle.id] = True
    if prepend:
        hooks.move_to_end(handle.id, last=False)  # type: ignore[attr-defined]
    return handle


def _warn_of_several_nodes(args: tuple[Any, ...], node: Any) -> None:
    """Say that an old-style hook sees only the last of several nodes."""
    inputs = {arg.grad_fn for arg in args if isinstance(arg, Tensor)} - {None}
    if inputs != {edge[0] for edge in node.next_functions}:
        warnings.warn(
            "Using a non-full backward hook when the forward contains multiple autograd Nodes is "
            "deprecated and will be removed in future versions. This hook will be missing some "
            "grad_input. Please use register_full_backward_hook to get the documented behavior.",
            FutureWarning,
            stacklevel=2,
        )
