"""What PyTorch's contexts of custom Functions have beside what users are told of."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Any, NoReturn

from seegrad.graph.hooks import RemovableHandle
from seegrad.graph.state import thread

__all__ = ["_FunctionBase"]


class _FunctionBase:
    """Where PyTorch keeps the part of the context that is written in C++."""

    _forward_cls: Any
    _saved: tuple[Any, ...] | None
    _materialize_non_diff_grads = True
    _compiled_autograd_backward_state: Any = None  # of a compiler that does not exist here

    @property
    def _autograd_function_id(self) -> int:
        return id(self._forward_cls)

    @property
    def _is_pure_view(self) -> NoReturn:
        raise AttributeError(
            "attribute '_is_pure_view' of 'torch._C._FunctionBase' objects is not readable"
        )

    def _get_user_fn(self) -> Callable[..., Any]:
        """The `backward` that the user wrote, or the `vjp`."""
        raise NotImplementedError

    def _get_compiled_autograd_symints(self) -> tuple[Any, ...]:
        return ()

    def _compiled_autograd_key(self) -> tuple[int]:
        return (self._autograd_function_id,)

    @staticmethod
    def _register_hook(backward_hooks: Any, hook: Callable[..., Any]) -> tuple[Any, Any]:
        hooks = OrderedDict() if backward_hooks is None else backward_hooks
        handle = RemovableHandle(hooks)
        hooks[handle.id] = hook
        return hooks, handle

    def apply(self, *args: Any) -> Any:
        """Calls the user's `backward`; with all gradients in one list, if it takes them so."""
        if self._forward_cls.boxed_grads_call:
            return self._get_user_fn()(self, list(args))
        return self._get_user_fn()(self, *args)

    def apply_boxed(self, args: Any) -> Any:
        """Calls the user's `backward` with all gradients in one list."""
        return self._get_user_fn()(self, args)

    def apply_jvp(self, *args: Any) -> Any:
        """Calls the user's `jvp`."""
        return self._forward_cls.jvp(self, *args)

    def maybe_clear_saved_tensors(self) -> None:
        """Frees what was saved, unless the backward pass keeps its graph."""
        current = thread.state.current
        if self._forward_cls.clear_saved_tensors_on_access or not (
            current is None or current.keep
        ):
            self._saved = None

    def __repr__(self) -> str:
        cls = type(self)
        return f"<{cls.__module__}.{cls.__qualname__} object at {id(self):#x}>"


_FunctionBase.__module__ = "torch._C"
