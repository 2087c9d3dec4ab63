"""Hooks around the call of a module: registering them, and the call that runs them."""

import functools
import warnings
from collections.abc import Callable
from typing import Any

from seegrad.nn.modules.backward_hooks import BackwardHook
from seegrad.nn.modules.global_hooks import GLOBAL
from seegrad.nn.modules.registry import Registry
from seegrad.tensor.tensor import Tensor
from seegrad.utils.hooks import RemovableHandle

Hook = Callable[..., Any]
Hooks = dict[int, Any]

_BOTH_KINDS = (
    "Cannot use both regular backward hooks and full backward hooks on a single Module. "
    "Please use only one of them."
)


class _Call:
    """How far a call of a module has come: what its hooks are shown, and which were called."""

    def __init__(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.args = args
        self.kwargs = kwargs
        self.result: Any = None
        self.hooks: set[int] = set()


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
        call = _Call(args, kwargs)
        try:
            return self._run_hooks(call)
        except Exception:
            self._call_remaining_hooks(call)
            raise

    def _run_hooks(self, call: "_Call") -> Any:
        args, call.kwargs = self._run_pre_hooks(call.args, call.kwargs)
        full, old = self._backward_hooks_by_kind()
        pre = [*GLOBAL.backward_pre.values(), *self._backward_pre_hooks.values()]
        backward_hook = None
        if pre or full:
            backward_hook = BackwardHook(self, full, pre)
            args = backward_hook.wrap_inputs(args)
        call.args = args
        call.result = self.forward(*args, **call.kwargs)
        for key, hook in [*GLOBAL.forward.items(), *self._forward_hooks.items()]:
            call.hooks.add(key)
            changed = self._call_forward_hook(key, hook, call)
            call.result = call.result if changed is None else changed
        if backward_hook is not None:
            call.result = backward_hook.wrap_outputs(call.result)
        if old:
            self._hook_last_node(args, call.result, old)
        return call.result

    def _backward_hooks_by_kind(self) -> tuple[list[Hook], list[Hook]]:
        """The full backward hooks and the old ones, those of all modules first."""
        kinds: tuple[list[Hook], list[Hook]] = ([], [])
        kinds[not GLOBAL.is_full_backward_hook].extend(GLOBAL.backward.values())
        kinds[not self._is_full_backward_hook].extend(self._backward_hooks.values())
        return kinds

    def _run_pre_hooks(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        for key, hook in [*GLOBAL.forward_pre.items(), *self._forward_pre_hooks.items()]:
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

    def _call_forward_hook(self, key: int, hook: Hook, call: "_Call") -> Any:
        if key in self._forward_hooks_with_kwargs or key in GLOBAL.forward_with_kwargs:
            return hook(self, call.args, call.kwargs, call.result)
        return hook(self, call.args, call.result)

    def _call_remaining_hooks(self, call: "_Call") -> None:
        """After an error: run the `always_call` hooks that did not run; their errors only warn."""
        for key, hook in [*GLOBAL.forward.items(), *self._forward_hooks.items()]:
            of_all = key in GLOBAL.forward_always_called
            always = of_all or key in self._forward_hooks_always_called
            if always and key not in call.hooks:
                try:
                    self._call_forward_hook(key, hook, call)
                except Exception as error:
                    warnings.warn(
                        f"{'global ' if of_all else ''}module forward hook with "
                        "``always_call=True`` raised an exception that was silenced as another "
                        f"error was raised in forward: {error}",
                        stacklevel=2,
                    )

    def _hook_last_node(self, args: tuple[Any, ...], result: Any, hooks: list[Hook]) -> None:
        """Put the old-style backward hooks on the node that made the (first) result."""
        whole = result
        while not isinstance(result, Tensor):
            if isinstance(result, dict):
                result = next(value for value in result.values() if isinstance(value, Tensor))
            else:
                result = result[0]
        node = result.grad_fn
        if node is not None:
            for hook in hooks:
                node.register_hook(functools.partial(hook, self))
            _warn_of_old_hook(args, whole, node)


def _add(hooks: Hooks, hook: Hook, prepend: bool, flags: list[Hooks]) -> RemovableHandle:
    """Put `hook` into `hooks` and mark it in the dictionaries `flags`; all go with the handle."""
    handle = RemovableHandle(hooks, extra_dict=flags)
    hooks[handle.id] = hook
    for flag in flags:
        flag[handle.id] = True
    if prepend:
        hooks.move_to_end(handle.id, last=False)  # type: ignore[attr-defined]
    return handle


def _warn_of_old_hook(args: tuple[Any, ...], result: Any, node: Any) -> None:
    """Say what an old-style hook, which sees only the last node, misses here."""
    results = (result,) if isinstance(result, Tensor) else result
    if not isinstance(results, tuple) or not _all_tensors(results):
        missing = "on a Module that does not return a single Tensor or a tuple of Tensors"
        what = "of the grad_output"
    elif not _all_tensors(args):
        missing = "on a Module that does not take as input a single Tensor or a tuple of Tensors"
        what = "of the grad_input"
    elif len({each.grad_fn for each in results} - {None}) > 1:
        missing, what = "when outputs are generated by different autograd Nodes", "grad_output"
    elif {arg.grad_fn for arg in args} - {None} != {edge[0] for edge in node.next_functions}:
        missing = "when the forward contains multiple autograd Nodes"
        what = "grad_input"
    else:
        return
    hook = "non-full backward hooks" if missing.startswith("on") else "a non-full backward hook"
    warnings.warn(
        f"Using {hook} {missing} is deprecated and will be removed in future versions. This hook "
        f"will be missing some {what}. Please use register_full_backward_hook to get the "
        "documented behavior.",
        FutureWarning,
        stacklevel=2,
    )


def _all_tensors(values: tuple[Any, ...]) -> bool:
    return all(isinstance(value, Tensor) for value in values)
