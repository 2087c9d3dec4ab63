"""Hooks on saved tensors: `saved_tensors_hooks`, `save_on_cpu`, `disable_saved_tensors_hooks`."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from seegrad.graph.packed import check_hooks
from seegrad.graph.state import thread

__all__ = ["disable_saved_tensors_hooks", "save_on_cpu", "saved_tensors_hooks"]


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
        super().__init__(lambda tensor: (tensor.device, tensor.cpu()), unpack_from_cpu)


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
    state = thread.state
    if state.hooks:
        raise RuntimeError(error_message)
    before, state.hooks_refused = state.hooks_refused, error_message
    try:
        yield
    finally:
        state.hooks_refused = before


for _cls in (saved_tensors_hooks, save_on_cpu):
    _cls.__module__ = "torch.autograd.graph"
