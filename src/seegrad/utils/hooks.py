"""Handles of hooks, and what pickles say of hooks, where PyTorch's users find them."""

from typing import Any

from seegrad.graph.hooks import RemovableHandle
from seegrad.tensor.copying import warn_if_has_hooks

__all__ = ["RemovableHandle", "unserializable_hook", "warn_if_has_hooks"]


def unserializable_hook(f: Any) -> Any:
    """Marks a hook that pickles may leave out without a warning; returns it.

    >>> import seegrad as torch
    >>> import pickle
    >>> x = torch.ones(1, requires_grad=True)
    >>> handle = x.register_hook(torch.utils.hooks.unserializable_hook(lambda grad: None))
    >>> pickle.loads(pickle.dumps(x))
    tensor([1.], requires_grad=True)
    """
    f.__torch_unserializable__ = True
    return f
