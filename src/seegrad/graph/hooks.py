"""Hooks: what users hang on tensors and nodes, and when it is called.

Order at a node: tensor hooks, retain_grad, node prehooks, the node, node posthooks. At a leaf:
tensor hooks, node prehooks, accumulation, post-accumulate hooks, node posthooks.
"""

import itertools
import weakref
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from seegrad.arrays.dtypes import version_type_name
from seegrad.graph.loans import lend
from seegrad.graph.tensor import TensorBase, wrap

if TYPE_CHECKING:
    from seegrad.graph.node import Node

__all__ = ["Hooks", "RemovableHandle"]

Hook = Callable[..., Any]
_next_id = itertools.count().__next__


class RemovableHandle:
    """What registering a hook returns; `remove()` takes the hook away.

    Also a context manager that removes the hook at its end. It holds no hook alive.

    Args:
        hooks_dict: where the hook is put under `id`; an OrderedDict, as it is held weakly.
        extra_dict: another of those, or a list of them, from which `id` is removed as well.
    """

    next_id = 0

    def __init__(self, hooks_dict: Any, *, extra_dict: Any = None) -> None:
        extras = extra_dict if isinstance(extra_dict, list) else [extra_dict]
        number = _next_id()
        RemovableHandle.next_id = number + 1
        self.__setstate__((hooks_dict, number, tuple(d for d in extras if isinstance(d, dict))))

    def remove(self) -> None:
        """Removes the hook; a second call does nothing."""
        for reference in (self.hooks_dict_ref, *self.extra_dict_ref):
            hooks = reference()
            if hooks is not None:
                hooks.pop(self.id, None)

    def __getstate__(self) -> tuple[Any, ...]:
        return self.hooks_dict_ref(), self.id, tuple(ref() for ref in self.extra_dict_ref)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        hooks, self.id = state[:2]
        extras = state[2] if len(state) > 2 else ()
        self.hooks_dict_ref = weakref.ref(OrderedDict() if hooks is None else hooks)
        self.extra_dict_ref = tuple(weakref.ref(d) for d in extras if d is not None)

    def __reduce__(self) -> tuple[Any, ...]:
        return restored, (self.__getstate__(),)  # by a name that is there without the alias

    def __enter__(self) -> "RemovableHandle":
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()


def restored(state: tuple[Any, ...]) -> RemovableHandle:
    """A handle out of a pickle."""
    handle = object.__new__(RemovableHandle)
    handle.__setstate__(state)
    return handle


RemovableHandle.__module__ = "torch.utils.hooks"


class Hooks:
    """Everything hung on one node, or on one leaf."""

    __slots__ = ("post", "post_accumulate", "pre", "retains", "tensor")

    def __init__(self) -> None:
        self.tensor: dict[int, dict[int, Hook]] = {}  # by number of the output
        self.retains: dict[int, weakref.ref[TensorBase]] = {}
        self.pre: dict[int, Hook] = OrderedDict()
        self.post: dict[int, Hook] = OrderedDict()
        self.post_accumulate: dict[int, Hook] = OrderedDict()


def add(hooks: dict[int, Hook], hook: Hook) -> RemovableHandle:
    """Puts `hook` at the end of `hooks`."""
    handle = RemovableHandle(hooks)
    hooks[handle.id] = hook
    return handle


def name_of(hook: Hook) -> str:
    """The name under which PyTorch's errors speak of a hook."""
    return getattr(hook, "__name__", "<unknown>")


def taken(tensor: Any) -> Any:
    """The array of what user code returned, as a view: not fresh, its owner may keep it."""
    return None if tensor is None else tensor._array.view()


def run_tensor_hooks(hooks: dict[int, Hook], gradient: Any) -> Any:
    """The gradient after the hooks of one tensor, each seeing what the one before returned."""
    tensor = lend(gradient)
    for hook in tuple(hooks.values()):
        result = hook(tensor)
        if result is not None:
            check_result(hook, tensor, result)
            tensor = result
    return tensor if isinstance(gradient, TensorBase) else taken(tensor)


def check_result(hook: Hook, gradient: Any, result: Any) -> None:
    """A hook returns a gradient of the same kind, or None."""
    if gradient is None:
        raise RuntimeError("can't replace a None gradient with a non-None value")
    if not isinstance(result, TensorBase):
        kind = type(result).__name__
        raise TypeError(f"expected Variable, but hook returned '{kind}'")
    if result._array.dtype != gradient._array.dtype:
        raise RuntimeError(
            f"hook '{name_of(hook)}' has changed the type of value "
            f"(was {version_type_name(gradient.dtype)} got {version_type_name(result.dtype)})"
        )
    if result._array.shape != gradient._array.shape:
        raise RuntimeError(f"hook '{name_of(hook)}' has changed the size of value")


def replace(hook: Hook, values: tuple[Any, ...], result: Any) -> tuple[Any, ...]:
    """The tuple a node hook returned, checked against the one it was given."""
    if not isinstance(result, tuple):
        kind = type(result).__name__
        raise TypeError(f"expected tuple, but hook returned '{kind}'")
    if len(result) != len(values):
        raise RuntimeError(
            f"hook '{name_of(hook)}' has returned an incorrect number of values "
            f"(got {len(result)}, but expected {len(values)})"
        )
    for before, after in zip(values, result, strict=True):
        if after is not None:
            check_result(hook, before, after)
    return result


def run_prehooks(hooks: dict[int, Hook], gradients: tuple[Any, ...]) -> tuple[Any, ...]:
    """The incoming gradients of a node after its prehooks."""
    values = tuple(lend(g) for g in gradients)
    for hook in tuple(hooks.values()):
        result = hook(values)
        if result is not None:
            values = replace(hook, values, result)
    return values


def run_posthooks(
    hooks: dict[int, Hook], results: tuple[Any, ...], gradients: tuple[Any, ...]
) -> tuple[Any, ...]:
    """The outgoing gradients of a node after its posthooks."""
    values = tuple(lend(r) for r in results)
    inputs = tuple(lend(g) for g in gradients)
    for hook in tuple(hooks.values()):
        result = hook(values, inputs)
        if result is not None:
            values = replace(hook, values, result)
    return values


def retain(reference: "weakref.ref[TensorBase]", gradient: Any, recorded: bool) -> None:
    """Puts the gradient of a non-leaf that called `retain_grad` into its `.grad`."""
    tensor = reference()
    if tensor is None or gradient is None:
        return
    if isinstance(gradient, TensorBase):
        gradient = lend(gradient) if recorded else wrap(gradient._array.copy())
    else:
        gradient = wrap(gradient.copy())
    before = tensor._grad
    tensor._grad = gradient if before is None else before + gradient


def hooks_of(node: "Node") -> Hooks:
    """The hooks of a node, made if it had none."""
    if node._hooks is None:
        node._hooks = Hooks()
    return node._hooks
