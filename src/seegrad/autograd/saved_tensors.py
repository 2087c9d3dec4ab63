"""Hooks on saved tensors: `saved_tensors_hooks`, `save_on_cpu`, `disable_saved_tensors_hooks`,
`allow_mutation_on_saved_tensors`.
"""

import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from seegrad.graph.packed import check_hooks
from seegrad.graph.state import thread

__all__ = [
    "allow_mutation_on_saved_tensors",
    "disable_saved_tensors_hooks",
    "save_on_cpu",
    "saved_tensors_hooks",
]

OUTSIDE = (
    "Trying to backward outside of the 'allow_mutation_on_saved_tensors' contextin which the "
    "graph was originally recorded."
)
NESTED = "allow_mutation_on_saved_tensors contexts cannot be nested"


class saved_tensors_hooks:
    """Tensors that are saved for backward inside go through a pair of hooks, in this thread.

    `pack_hook(tensor)` is called when an operator saves a tensor, and may return anything;
    `unpack_hook` gets that back whenever the tensor is needed, and returns a Tensor. Of nested
    pairs the innermost counts. Raises TypeError for what cannot be called; RuntimeError where
    hooks are disabled, and for a pack hook that changes its tensor in place.

    >>> import seegrad as torch
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> def pack(tensor):
    ...     print("packed", tensor.item())
    ...     return tensor.item()
    >>> def unpack(value):
    ...     print("unpacked", value)
    ...     return torch.tensor(value)
    >>> with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
    ...     y = x.sin()
    packed 2.0
    >>> y.backward()
    unpacked 2.0
    """

    def __init__(self, pack_hook: Callable[[Any], Any], unpack_hook: Callable[[Any], Any]) -> None:
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook

    def __enter__(self) -> None:
        push_hooks(self.pack_hook, self.unpack_hook)

    def __exit__(self, *args: object) -> None:
        pop_hooks()


def push_hooks(*hooks: Any) -> None:
    """Makes a pair of hooks the one that counts."""
    state = thread.state
    check_hooks("_push_saved_tensors_default_hooks", hooks, "", "")
    if state.hooks_refused is not None:
        raise RuntimeError(state.hooks_refused)
    state.hooks.append((hooks[0], hooks[1]))
    state.refresh()


def pop_hooks() -> None:
    """Takes back the pair that counts."""
    thread.state.hooks.pop()
    thread.state.refresh()


def hooks_are_allowed() -> bool:
    """Whether pairs of hooks may be pushed: no `disable_saved_tensors_hooks` is on."""
    return thread.state.hooks_refused is None


def refusal() -> str | None:
    """What is said to who would push hooks; None where they may be pushed."""
    return thread.state.hooks_refused


def refuse_hooks(error_message: str) -> None:
    """From now on pushing hooks raises RuntimeError with this message, in this thread.

    So it does at once where hooks are on already.
    """
    state = thread.state
    if state.hooks:
        raise RuntimeError(error_message)
    state.hooks_refused = error_message


def allow_hooks() -> None:
    """From now on hooks may be pushed again."""
    thread.state.hooks_refused = None


class save_on_cpu(saved_tensors_hooks):
    """Keeps saved tensors on the CPU, where they are anyhow: kept so that programs run.

    `pin_memory` is about copies to a GPU and does nothing, as in PyTorch without one.

    >>> import seegrad as torch
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> with torch.autograd.graph.save_on_cpu():
    ...     y = x * x
    >>> y.backward()
    >>> x.grad
    tensor(4.)
    """

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda") -> None:
        # Detached: a result that its own node keeps with its history would be a cycle.
        super().__init__(lambda tensor: (tensor.device, tensor.detach().cpu()), unpack_from_cpu)


def unpack_from_cpu(packed: tuple[Any, Any]) -> Any:
    """The tensor on the device where it was."""
    device, tensor = packed
    return tensor.to(device)


@contextmanager
def disable_saved_tensors_hooks(error_message: str) -> Iterator[None]:
    """Inside, `saved_tensors_hooks` raises RuntimeError with this message.

    So it does at once where such hooks are on already. Hooks on one saved tensor
    (`register_hooks`) are no matter of it.

    >>> import seegrad as torch
    >>> with torch.autograd.graph.disable_saved_tensors_hooks("not here"):
    ...     with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
    ...         pass
    Traceback (most recent call last):
    RuntimeError: not here
    """
    before = refusal()
    refuse_hooks(error_message)
    try:
        yield
    finally:
        thread.state.hooks_refused = before


class _Handle:
    """What nodes keep of one version of a tensor; the copy dies with it."""

    __slots__ = ("__weakref__", "tensor", "version")

    def __init__(self, tensor: Any) -> None:
        self.tensor: weakref.ref[Any] = weakref.ref(tensor)
        self.version = tensor._version

    def is_of(self, tensor: Any) -> bool:
        """Whether this is the present version of the very tensor."""
        return bool(self.version == tensor._version) and self.tensor() is tensor

    def is_overwritten(self) -> bool:
        """Whether the tensor is there still, in another version."""
        tensor = self.tensor()
        return tensor is not None and bool(self.version != tensor._version)


class _AllowMutationOnSavedContext:
    """The copies of what was saved inside of one `allow_mutation_on_saved_tensors`."""

    def __init__(self) -> None:
        self.copies: weakref.WeakKeyDictionary[_Handle, Any] = weakref.WeakKeyDictionary()
        # Of each version of a tensor that is saved, the one handle.
        self.tid_to_weakhandle: weakref.WeakValueDictionary[tuple[int, int], _Handle] = (
            weakref.WeakValueDictionary()
        )

    @property
    def cloned(self) -> dict[_Handle, Any]:
        """The copies that are needed: of tensors that were written to since."""
        return {handle: copy for handle, copy in self.copies.items() if handle.is_overwritten()}

    def clear(self) -> None:
        """Forgets all copies: the graphs recorded so far have no backward any more."""
        self.copies.clear()
        self.tid_to_weakhandle.clear()

    def pack(self, tensor: Any) -> _Handle:
        """Copies a tensor, once in each version."""
        key = (id(tensor), tensor._version)
        handle = self.tid_to_weakhandle.get(key)
        if handle is None or not handle.is_of(tensor):
            handle = self.tid_to_weakhandle[key] = _Handle(tensor)
            self.copies[handle] = tensor.clone()
        return handle

    def unpack(self, handle: _Handle) -> Any:
        """The copy, as long as the context is there."""
        if handle not in self.copies:
            raise AssertionError(OUTSIDE)
        return self.copies[handle]


def allows_mutation() -> bool:
    """Whether this thread is inside of `allow_mutation_on_saved_tensors`."""
    owners = (getattr(pack, "__self__", None) for pack, _ in thread.state.hooks)
    return any(isinstance(owner, _AllowMutationOnSavedContext) for owner in owners)


@contextmanager
def allow_mutation_on_saved_tensors() -> Iterator[_AllowMutationOnSavedContext]:
    """Inside, tensors that are saved for backward may be written to; backward uses the old values.

    Every saved tensor is copied when it is saved, and the copies are dropped at the end, or by
    `clear()` of what the context manager returns. Raises RuntimeError where it is on already and
    where hooks on saved tensors are disabled; AssertionError in a backward pass outside.

    >>> import seegrad as torch
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> with torch.autograd.graph.allow_mutation_on_saved_tensors():
    ...     y = x.clone()
    ...     z = y * y
    ...     _ = y.zero_()
    ...     z.backward()
    >>> x.grad
    tensor(4.)
    """
    if allows_mutation():
        raise RuntimeError(NESTED)
    context = _AllowMutationOnSavedContext()
    try:
        with saved_tensors_hooks(context.pack, context.unpack):
            yield context
    finally:
        context.clear()


_AllowMutationOnSavedContext.__module__ = "torch.autograd.graph"
for _cls in (saved_tensors_hooks, save_on_cpu):
    _cls.__module__ = "torch.autograd.graph"
